import './jquery-global.js';
import $ from 'jquery';
import 'jquery-ui/dist/jquery-ui.js';
import 'jquery-ui/themes/base/all.css';

const record = { city: null, day: '', meal: null, sure: false, amount: 0, level: 0, order: [] };
window.model = () => record;

$('#app').html(`
  <input id="city"><input id="day">
  <select id="meal"><option>Fish</option><option>Rice</option></select>
  <input id="amount"><div id="level" style="width: 200px; margin: 20px"></div>
  <button id="ask">Ask</button><div id="question">Sure?</div>
  <ul id="order"><li>one</li><li>two</li><li>three</li></ul>`);
$('#city').autocomplete({ source: ['Rome', 'Riga', 'Oslo'], select: (_event, ui) => { record.city = ui.item.value; } });
$('#day').datepicker({ defaultDate: '11/21/2026', onSelect: (day) => { record.day = day; } }).on('change', function () { record.day = this.value; });
$('#meal').selectmenu({ width: 200, change: (_event, ui) => { record.meal = ui.item.value; } });
$('#amount').spinner({ min: 0, spin: (_event, ui) => { record.amount = ui.value; }, change: function () { record.amount = $(this).spinner('value'); } });
$('#level').slider({ slide: (_event, ui) => { record.level = ui.value; } });
$('#question').dialog({ autoOpen: false, modal: true, buttons: [{ text: 'Yes', id: 'yes', click() { record.sure = true; $(this).dialog('close'); } }] });
$('#ask').on('click', () => $('#question').dialog('open'));
$('#order').sortable({ update() { record.order = $(this).children().map((_i, item) => item.textContent).get(); } });
