// Widgets that need no framework: a calendar, and a list that is sorted with
// the pointer or by the browser's own drag and drop.
import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
import Sortable from 'sortablejs';

const record = { day: '', order: [], sorted: [] };
window.model = () => record;

const items = '<li>one</li><li>two</li><li>three</li>';
document.getElementById('app').innerHTML = `<input id="day"><ul id="order">${items}</ul><ul id="sorted">${items}</ul>`;
flatpickr('#day', { allowInput: true, defaultDate: '2026-11-21', onChange: (_dates, text) => { record.day = text; } });

const titles = (list) => [...list.children].map((item) => item.textContent);
Sortable.create(document.getElementById('order'), { onEnd: ({ to }) => { record.order = titles(to); } });
Sortable.create(document.getElementById('sorted'), { forceFallback: true, onEnd: ({ to }) => { record.sorted = titles(to); } });
