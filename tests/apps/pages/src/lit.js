import { css, html, LitElement } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

// Each task has a shadow root of its own, below the one of the app.
class TaskItem extends LitElement {
  static properties = { task: {}, draft: { state: true } };

  static styles = css`.remove { visibility: hidden } :host(:hover) .remove { visibility: visible }`;

  say(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true })); }

  commit() {
    if (this.draft != null) this.say('change-task', { title: this.draft });
    this.draft = null;
  }

  key(event) {
    if (event.key === 'Enter') this.commit();
    if (event.key === 'Escape') this.draft = null;
  }

  updated(changed) { if (changed.has('draft')) this.renderRoot.querySelector('.edit')?.focus(); }

  render() {
    return html`
      <input class="toggle" type="checkbox" .checked=${live(this.task.done)} @change=${(e) => this.say('change-task', { done: e.target.checked })}>
      <label class="title" @dblclick=${() => { this.draft = this.task.title; }}>${this.task.title}</label>
      ${this.draft == null ? '' : html`<input class="edit" .value=${this.draft} @input=${(e) => { this.draft = e.target.value; }} @blur=${this.commit} @keydown=${this.key}>`}
      <button class="remove" @click=${() => this.say('remove-task')}>Remove</button>`;
  }
}
customElements.define('task-item', TaskItem);

class TaskApp extends LitElement {
  static properties = { record: { state: true } };

  constructor() {
    super();
    this.record = newRecord(); // as a class field it would hide the accessor that redraws
    tell(() => this.record);
  }

  set(part) { this.record = { ...this.record, ...part }; }

  setTask(index, part) { this.set({ tasks: this.record.tasks.map((task, i) => (i === index ? { ...task, ...part } : task)) }); }

  add(event) {
    if (event.key !== 'Enter' || !event.target.value) return;
    this.set({ tasks: [...this.record.tasks, { title: event.target.value, done: false }] });
    event.target.value = '';
  }

  render() {
    const { record } = this;
    return html`
      <form id="form" @submit=${(e) => { e.preventDefault(); this.set({ saved: [...record.saved, record.name] }); }}>
        <label>Name <input id="name" .value=${live(record.name)} @input=${(e) => this.set({ name: e.target.value })}></label>
        <label>Age <input id="age" type="number" @input=${(e) => this.set({ age: e.target.value === '' ? null : Number(e.target.value) })}></label>
        <label>Notes <textarea id="notes" .value=${live(record.notes)} @input=${(e) => this.set({ notes: e.target.value })}></textarea></label>
        <label><input id="agree" type="checkbox" .checked=${live(record.agree)} @change=${(e) => this.set({ agree: e.target.checked })}> I agree</label>
        <select id="color" .value=${live(record.color)} @change=${(e) => this.set({ color: e.target.value })}>${colors.map((c) => html`<option>${c}</option>`)}</select>
        ${sizes.map((size) => html`<label><input id=${size} type="radio" name="size" .checked=${live(record.size === size)} @change=${() => this.set({ size })}> ${size}</label>`)}
        <label>Born <input id="born" type="date" .value=${live(record.born)} @input=${(e) => this.set({ born: e.target.value })}></label>
        <label>Phone <input id="phone" .value=${live(record.phone)} @input=${(e) => this.set({ phone: pairs(e.target.value) })}></label>
        <input id="files" type="file" multiple @change=${(e) => this.set({ files: [...e.target.files].map((f) => f.name) })}>
        <button id="save" ?disabled=${!record.name}>Save</button>
      </form>
      <a id="about" href="/about" @click=${(e) => { e.preventDefault(); history.pushState(null, '', '/about'); this.set({ view: 'about' }); }}>About</a>
      <input id="task" placeholder="What needs to be done?" @keydown=${this.add}>
      <ul>${repeat(record.tasks, (task) => task.title, (task, i) => html`
        <li class="task" draggable="true" @dragstart=${() => { this.dragged = i; }} @dragover=${(e) => e.preventDefault()} @drop=${() => this.set({ tasks: moved(this.record.tasks, this.dragged, i) })}>
          <task-item .task=${task} @change-task=${(e) => this.setTask(i, e.detail)} @remove-task=${() => this.set({ tasks: record.tasks.filter((_, j) => j !== i) })}></task-item>
        </li>`)}
      </ul>`;
  }
}
customElements.define('task-app', TaskApp);
document.getElementById('app').append(document.createElement('task-app'));
