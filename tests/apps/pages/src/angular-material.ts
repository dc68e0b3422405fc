import '@angular/compiler';
import { Component, inject, signal } from '@angular/core';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import { MatButtonModule } from '@angular/material/button';
import { MatCheckboxModule } from '@angular/material/checkbox';
import { MatDialog, MatDialogModule } from '@angular/material/dialog';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatInputModule } from '@angular/material/input';
import { MatSelectModule } from '@angular/material/select';
import { bootstrapApplication } from '@angular/platform-browser';

@Component({
  selector: 'app-question',
  imports: [MatButtonModule, MatDialogModule],
  template: `
    <h2 mat-dialog-title>Sure?</h2>
    <mat-dialog-actions><button mat-button id="yes" [mat-dialog-close]="true">Yes</button></mat-dialog-actions>`,
})
class Question {}

const cities = ['Rome', 'Riga', 'Oslo'];

@Component({
  selector: 'app-root',
  imports: [ReactiveFormsModule, MatAutocompleteModule, MatButtonModule, MatCheckboxModule, MatFormFieldModule, MatInputModule, MatSelectModule],
  template: `
    <mat-form-field><mat-label>City</mat-label><input matInput id="city" [formControl]="city" [matAutocomplete]="auto"></mat-form-field>
    <mat-autocomplete #auto="matAutocomplete">@for (c of matching(); track c) {<mat-option [value]="c">{{ c }}</mat-option>}</mat-autocomplete>
    <mat-form-field><mat-label>Meal</mat-label><mat-select id="meal" [formControl]="meal">@for (m of meals; track m) {<mat-option [value]="m">{{ m }}</mat-option>}</mat-select></mat-form-field>
    <mat-checkbox id="news" [formControl]="news">News</mat-checkbox>
    <button mat-flat-button id="ask" (click)="ask()">Ask</button>`,
})
class App {
  city = new FormControl('', { nonNullable: true });
  matching = signal(cities);
  meal = new FormControl('');
  meals = ['Fish', 'Rice', 'Soup'];
  news = new FormControl(false);
  sure = false;
  dialog = inject(MatDialog);

  constructor() {
    this.city.valueChanges.subscribe((text) => this.matching.set(cities.filter((c) => c.toLowerCase().startsWith(text.toLowerCase()))));
    window.model = () => ({ city: this.city.value, meal: this.meal.value, news: this.news.value, sure: this.sure });
  }

  ask() { this.dialog.open(Question).afterClosed().subscribe((sure) => { this.sure = sure; }); }
}

document.getElementById('app')!.append(document.createElement('app-root'));
void bootstrapApplication(App);
