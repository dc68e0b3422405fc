import Quill from 'quill';
import 'quill/dist/quill.snow.css';

document.getElementById('app').innerHTML = '<div id="editor"><p>First</p></div>';
const quill = new Quill('#editor', { theme: 'snow' });
window.model = () => ({ text: quill.getText(), bold: quill.getContents().ops.filter((op) => op.attributes?.bold).map((op) => op.insert) });
