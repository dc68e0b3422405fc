import '@material/web/button/filled-button.js';
import '@material/web/button/text-button.js';
import '@material/web/checkbox/checkbox.js';
import '@material/web/dialog/dialog.js';
import '@material/web/radio/radio.js';
import '@material/web/select/outlined-select.js';
import '@material/web/select/select-option.js';
import '@material/web/switch/switch.js';
import '@material/web/textfield/outlined-text-field.js';

const record = { name: '', notes: '', agree: false, dark: false, color: '', size: '', sure: '', saved: [] };
window.model = () => record;

document.getElementById('app').innerHTML = `
  <form id="form">
    <md-outlined-text-field id="name" name="name" label="Name"></md-outlined-text-field>
    <md-outlined-text-field id="notes" type="textarea" label="Notes" rows="3"></md-outlined-text-field>
    <md-checkbox id="agree"></md-checkbox><md-switch id="dark"></md-switch>
    <md-radio id="small" name="size" value="small"></md-radio><md-radio id="large" name="size" value="large"></md-radio>
    <md-outlined-select id="color" label="Color">
      <md-select-option value="red"><div slot="headline">Red</div></md-select-option>
      <md-select-option value="green"><div slot="headline">Green</div></md-select-option>
    </md-outlined-select>
    <md-filled-button id="save" type="submit">Save</md-filled-button>
  </form>
  <md-text-button id="ask">Ask</md-text-button>
  <md-dialog id="question">
    <div slot="headline">Sure?</div><form slot="content" id="answer" method="dialog">It is for ever.</form>
    <div slot="actions"><md-text-button id="yes" form="answer" value="yes">Yes</md-text-button></div>
  </md-dialog>`;
const get = (id) => document.getElementById(id);
for (const id of ['name', 'notes']) get(id).addEventListener('input', (e) => { record[id] = e.target.value; });
get('agree').addEventListener('change', (e) => { record.agree = e.target.checked; });
get('dark').addEventListener('change', (e) => { record.dark = e.target.selected; });
get('color').addEventListener('change', (e) => { record.color = e.target.value; });
for (const size of ['small', 'large']) get(size).addEventListener('change', () => { record.size = size; });
get('form').addEventListener('submit', (e) => { e.preventDefault(); record.saved.push(record.name); });
get('ask').addEventListener('click', () => get('question').show());
get('question').addEventListener('close', (e) => { record.sure = e.target.returnValue; });
