import { createApp, nextTick } from 'vue/dist/vue.esm-bundler.js';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

const template = `
<form id="form" @submit.prevent="record.saved.push(record.name)">
  <label>Name <input id="name" v-model.trim="record.name"></label>
  <label>Age <input id="age" type="number" v-model.number="age"></label>
  <label>Notes <textarea id="notes" v-model.lazy="record.notes"></textarea></label>
  <label><input id="agree" type="checkbox" v-model="record.agree"> I agree</label>
  <select id="color" v-model="record.color"><option v-for="c in colors">{{ c }}</option></select>
  <label v-for="size in sizes"><input :id="size" type="radio" :value="size" v-model="record.size"> {{ size }}</label>
  <label>Born <input id="born" type="date" v-model="record.born"></label>
  <label>Phone <input id="phone" :value="record.phone" @input="mask"></label>
  <input id="files" type="file" multiple @change="record.files = [...$event.target.files].map((f) => f.name)">
  <button id="save" :disabled="!record.name">Save</button>
</form>
<a id="about" href="/about" @click.prevent="about">About</a>
<input id="task" placeholder="What needs to be done?" v-model="text" @keydown.enter="add">
<TransitionGroup name="tasks" tag="ul">
  <li v-for="(task, i) in record.tasks" :key="task.title" class="task" draggable="true" @dragstart="dragged = i" @dragover.prevent @drop="drop(i)">
    <input class="toggle" type="checkbox" v-model="task.done">
    <label class="title" @dblclick="edit(i)">{{ task.title }}</label>
    <input v-if="editing === i" class="edit" v-model="draft" @blur="commit" @keydown.enter="commit" @keydown.esc="editing = -1">
    <button class="remove" @click="record.tasks.splice(i, 1)">Remove</button>
  </li>
</TransitionGroup>`;

const app = createApp({
  template,
  data: () => ({ record: newRecord(), colors, sizes, text: '', draft: '', editing: -1, dragged: 0 }),
  computed: {
    age: { get() { return this.record.age; }, set(value) { this.record.age = value === '' ? null : value; } },
  },
  methods: {
    mask(event) {
      this.record.phone = pairs(event.target.value);
      event.target.value = this.record.phone;
    },
    about() { history.pushState(null, '', '/about'); this.record.view = 'about'; },
    add() { if (this.text) this.record.tasks.push({ title: this.text, done: false }); this.text = ''; },
    async edit(i) {
      this.draft = this.record.tasks[i].title;
      this.editing = i;
      await nextTick();
      this.$el.parentNode.querySelector('.edit').focus();
    },
    commit() { if (this.editing >= 0) this.record.tasks[this.editing].title = this.draft; this.editing = -1; },
    drop(to) { this.record.tasks = moved(this.record.tasks, this.dragged, to); },
  },
}).mount('#app');
tell(() => app.record);
