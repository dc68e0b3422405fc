import Backbone from 'backbone';
import $ from 'jquery';
import _ from 'underscore';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

Backbone.$ = $;

const Tasks = Backbone.Collection.extend({ model: Backbone.Model });

const TaskView = Backbone.View.extend({
  tagName: 'li',
  className: 'task',
  attributes: { draggable: 'true' },
  template: _.template(`
    <input class="toggle" type="checkbox" <%= done ? 'checked' : '' %>>
    <label class="title"><%- title %></label>
    <input class="edit" value="<%- title %>">
    <button class="remove">Remove</button>`),
  events: {
    'click .toggle': function () { this.model.set('done', !this.model.get('done')); },
    'dblclick .title': function () { this.$el.addClass('editing').find('.edit').trigger('focus'); },
    'keydown .edit': function (event) {
      if (event.key === 'Enter') this.close();
      if (event.key === 'Escape') this.render();
    },
    'blur .edit': 'close',
    'click .remove': function () { this.model.collection.remove(this.model); },
    dragstart: function () { this.model.collection.dragged = this.$el.index(); },
    dragover: (event) => event.preventDefault(),
    drop: function () {
      const tasks = this.model.collection;
      tasks.reset(moved(tasks.models, tasks.dragged, this.$el.index()));
    },
  },
  initialize() { this.listenTo(this.model, 'change', this.render); },
  close() {
    if (!this.$el.hasClass('editing')) return;
    this.$el.removeClass('editing');
    this.model.set('title', this.$('.edit').val());
  },
  render() {
    this.$el.removeClass('editing').html(this.template(this.model.attributes));
    return this;
  },
});

const AppView = Backbone.View.extend({
  template: _.template(`
    <form id="form">
      <label>Name <input id="name" name="name"></label>
      <label>Age <input id="age" name="age" type="number"></label>
      <label>Notes <textarea id="notes" name="notes"></textarea></label>
      <label><input id="agree" name="agree" type="checkbox"> I agree</label>
      <select id="color" name="color"><% colors.forEach((c) => { %><option><%= c %></option><% }) %></select>
      <% sizes.forEach((s) => { %><label><input id="<%= s %>" type="radio" name="size" value="<%= s %>"> <%= s %></label><% }) %>
      <label>Born <input id="born" name="born" type="date"></label>
      <label>Phone <input id="phone"></label>
      <input id="files" type="file" multiple>
      <button id="save" disabled>Save</button>
    </form>
    <a id="about" href="/about">About</a>
    <input id="task" placeholder="What needs to be done?"><ul></ul>`),
  events: {
    'input #name': 'read', 'input #age': 'read', 'change #notes': 'read', 'change #color': 'read', 'change #born': 'read', 'change [name=size]': 'read',
    'change #agree': function (event) { this.model.set('agree', event.target.checked); },
    'input #phone': function (event) {
      this.model.set('phone', pairs(event.target.value));
      event.target.value = this.model.get('phone'); // without a change the model tells nobody
    },
    'change #files': function (event) { this.model.set('files', _.pluck(event.target.files, 'name')); },
    'submit #form': function (event) {
      event.preventDefault();
      this.model.set('saved', [...this.model.get('saved'), this.model.get('name')]);
    },
    'click #about': function (event) { event.preventDefault(); this.router.navigate('about', { trigger: true }); },
    'keydown #task': function (event) {
      if (event.key !== 'Enter' || !event.target.value) return;
      this.tasks.add({ title: event.target.value, done: false });
      event.target.value = '';
    },
  },
  initialize({ tasks, router }) {
    this.tasks = tasks;
    this.router = router;
    this.$el.html(this.template({ colors, sizes }));
    this.$('#small').prop('checked', true);
    this.listenTo(tasks, 'update reset', this.list);
    this.listenTo(this.model, 'change:name', (_record, name) => this.$('#save').prop('disabled', !name));
    this.list();
  },
  read({ target }) {
    const value = target.type === 'number' ? (target.value === '' ? null : Number(target.value)) : target.value;
    this.model.set(target.name, value);
  },
  list() { this.$('ul').empty().append(this.tasks.map((model) => new TaskView({ model }).render().el)); },
});

const { tasks, ...fields } = newRecord();
const app = new AppView({
  el: '#app',
  model: new Backbone.Model(fields),
  tasks: new Tasks(tasks),
  router: new (Backbone.Router.extend({ routes: { about: () => app.model.set('view', 'about') } }))(),
});
Backbone.history.start({ pushState: true, root: '/' });
tell(() => ({ ...app.model.attributes, tasks: app.tasks.map((task) => task.attributes) }));
