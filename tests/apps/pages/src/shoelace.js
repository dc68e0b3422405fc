import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/button/button.js';
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js';
import '@shoelace-style/shoelace/dist/components/dialog/dialog.js';
import '@shoelace-style/shoelace/dist/components/input/input.js';
import '@shoelace-style/shoelace/dist/components/option/option.js';
import '@shoelace-style/shoelace/dist/components/select/select.js';
import '@shoelace-style/shoelace/dist/components/switch/switch.js';
import '@shoelace-style/shoelace/dist/components/textarea/textarea.js';

const record = { name: '', notes: '', agree: false, dark: false, color: '', saved: [] };
window.model = () => record;

const app = document.getElementById('app');
app.innerHTML = `
  <form id="form">
    <sl-input id="name" name="name" label="Name" required></sl-input>
    <sl-textarea id="notes" label="Notes"></sl-textarea>
    <sl-checkbox id="agree">I agree</sl-checkbox>
    <sl-switch id="dark">Dark</sl-switch>
    <sl-select id="color" label="Color"><sl-option value="red">Red</sl-option><sl-option value="green">Green</sl-option></sl-select>
    <sl-button id="save" type="submit">Save</sl-button>
  </form>
  <sl-button id="ask">Ask</sl-button>
  <sl-dialog id="question" label="Your nick">
    <sl-input id="nick" autofocus></sl-input><sl-button id="done" slot="footer" variant="primary">Done</sl-button>
  </sl-dialog>`;
const get = (id) => document.getElementById(id);
for (const id of ['name', 'notes']) get(id).addEventListener('sl-input', (e) => { record[id] = e.target.value; });
for (const id of ['agree', 'dark']) get(id).addEventListener('sl-change', (e) => { record[id] = e.target.checked; });
get('color').addEventListener('sl-change', (e) => { record.color = e.target.value; });
get('form').addEventListener('submit', (e) => { e.preventDefault(); record.saved.push(record.name); });
get('ask').addEventListener('click', () => get('question').show());
get('done').addEventListener('click', () => { record.nick = get('nick').value; get('question').hide(); });
