import '@angular/compiler';
import { Component, signal } from '@angular/core';
import { FormControl, FormGroup, FormsModule, ReactiveFormsModule, Validators } from '@angular/forms';
import { bootstrapApplication } from '@angular/platform-browser';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

const empty = newRecord();

@Component({
  selector: 'app-root',
  imports: [FormsModule, ReactiveFormsModule],
  template: `
    <form id="form" [formGroup]="form" (ngSubmit)="save()">
      <label>Name <input id="name" formControlName="name"></label>
      <label>Age <input id="age" type="number" formControlName="age"></label>
      <label>Notes <textarea id="notes" formControlName="notes"></textarea></label>
      <label><input id="agree" type="checkbox" formControlName="agree"> I agree</label>
      <select id="color" formControlName="color">@for (c of colors; track c) {<option>{{ c }}</option>}</select>
      @for (size of sizes; track size) {<label><input [id]="size" type="radio" [value]="size" formControlName="size"> {{ size }}</label>}
      <label>Born <input id="born" type="date" formControlName="born"></label>
      <label>Phone <input id="phone" formControlName="phone" (input)="mask()"></label>
      <input id="files" type="file" multiple (change)="choose($event)">
      <button id="save" [disabled]="form.invalid">Save</button>
    </form>
    <a id="about" href="/about" (click)="about($event)">About</a>
    <input id="task" placeholder="What needs to be done?" [(ngModel)]="text" (keydown.enter)="add()">
    <ul>
      @for (task of tasks(); track task; let i = $index) {
        <li class="task" draggable="true" (dragstart)="dragged = i" (dragover)="$event.preventDefault()" (drop)="tasks.set(moved(tasks(), dragged, i))">
          <input class="toggle" type="checkbox" [(ngModel)]="task.done">
          <label class="title" (dblclick)="edit(i)">{{ task.title }}</label>
          @if (editing() === i) {<input class="edit" [(ngModel)]="draft" (blur)="commit()" (keydown.enter)="commit()" (keydown.escape)="editing.set(-1)">}
          <button class="remove" (click)="remove(i)">Remove</button>
        </li>
      }
    </ul>`,
})
class App {
  colors = colors;
  sizes = sizes;
  moved = moved;
  form = new FormGroup({
    name: new FormControl('', { nonNullable: true, validators: [Validators.required, Validators.minLength(2)] }),
    age: new FormControl<number | null>(null, [Validators.min(0)]),
    notes: new FormControl('', { nonNullable: true, updateOn: 'blur' }),
    agree: new FormControl(false),
    color: new FormControl(empty.color),
    size: new FormControl(empty.size),
    born: new FormControl(''),
    phone: new FormControl('', { nonNullable: true }),
  });
  files: string[] = [];
  saved: string[] = [];
  view = empty.view;
  tasks = signal(empty.tasks);
  text = '';
  draft = '';
  editing = signal(-1);
  dragged = 0;

  constructor() {
    tell(() => ({ ...this.form.value, files: this.files, saved: this.saved, view: this.view, tasks: this.tasks() }));
  }

  mask() { this.form.controls.phone.setValue(pairs(this.form.controls.phone.value)); }
  save() { this.saved.push(this.form.controls.name.value); }
  choose(event: Event) { this.files = [...(event.target as HTMLInputElement).files!].map((f) => f.name); }
  about(event: Event) { event.preventDefault(); history.pushState(null, '', '/about'); this.view = 'about'; }
  add() { if (this.text) this.tasks.update((old) => [...old, { title: this.text, done: false }]); this.text = ''; }
  remove(i: number) { this.tasks.update((old) => old.filter((_, j) => j !== i)); }
  edit(i: number) {
    this.draft = this.tasks()[i].title;
    this.editing.set(i);
    setTimeout(() => document.querySelector<HTMLInputElement>('.edit')!.focus());
  }
  commit() {
    const i = this.editing();
    if (i >= 0) this.tasks.update((old) => old.map((task, j) => (i === j ? { ...task, title: this.draft } : task)));
    this.editing.set(-1);
  }
}

document.getElementById('app')!.append(document.createElement('app-root'));
void bootstrapApplication(App);
