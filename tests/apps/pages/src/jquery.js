import $ from 'jquery';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

const record = newRecord();
tell(() => record);

const choices = sizes.map((size) => `<label><input id="${size}" type="radio" name="size" value="${size}"> ${size}</label>`).join('');
$('#app').html(`
  <form id="form">
    <label>Name <input id="name"></label>
    <label>Age <input id="age" type="number"></label>
    <label>Notes <textarea id="notes"></textarea></label>
    <label><input id="agree" type="checkbox"> I agree</label>
    <select id="color">${colors.map((c) => `<option>${c}</option>`).join('')}</select>${choices}
    <label>Born <input id="born" type="date"></label>
    <label>Phone <input id="phone"></label>
    <input id="files" type="file" multiple>
    <button id="save" disabled>Save</button>
  </form>
  <a id="about" href="/about">About</a>
  <input id="task" placeholder="What needs to be done?"><ul></ul>`);
$('#small').prop('checked', true);

$('#name').on('input', function () {
  record.name = $(this).val();
  $('#save').prop('disabled', !record.name);
});
$('#age').on('input', function () { record.age = this.value === '' ? null : Number(this.value); });
$('#notes, #color, #born').on('change', function () { record[this.id] = $(this).val(); });
$('#agree').on('change', function () { record.agree = $(this).is(':checked'); });
$('[name=size]').on('change', function () { record.size = this.value; });
$('#phone').on('input', function () { $(this).val(record.phone = pairs(this.value)); });
$('#files').on('change', function () { record.files = $.map(this.files, (f) => f.name); });
$('#form').on('submit', () => { record.saved.push(record.name); return false; });
$('#about').on('click', () => { history.pushState(null, '', '/about'); record.view = 'about'; return false; });

function list() {
  $('ul').empty().append(record.tasks.map((task) => $('<li class="task" draggable="true">').append(
    $('<input class="toggle" type="checkbox">').prop('checked', task.done),
    $('<label class="title">').text(task.title),
    $('<button class="remove">Remove</button>'),
  )));
}

$('#task').on('keydown', function (event) {
  if (event.key !== 'Enter' || !this.value) return;
  record.tasks.push({ title: this.value, done: false });
  this.value = '';
  list();
});

// All events of the tasks are delegated to the list.
const taskOf = (element) => record.tasks[$(element).closest('.task').index()];
let dragged = 0;
$('ul')
  .on('change', '.toggle', function () { taskOf(this).done = this.checked; })
  .on('click', '.remove', function () {
    const item = $(this).closest('.task');
    record.tasks.splice(item.index(), 1);
    item.fadeOut(100, () => item.remove());
  })
  .on('dblclick', '.title', function () { $('<input class="edit">').val($(this).text()).insertAfter(this).trigger('focus'); })
  .on('keydown', '.edit', function (event) {
    if (event.key === 'Escape') $(this).val($(this).prev().text()).trigger('blur');
    if (event.key === 'Enter') $(this).trigger('blur');
  })
  .on('focusout', '.edit', function () { taskOf(this).title = this.value; list(); })
  .on('dragstart', '.task', function () { dragged = $(this).index(); })
  .on('dragover', '.task', () => false)
  .on('drop', '.task', function () { record.tasks = moved(record.tasks, dragged, $(this).index()); list(); });
list();
