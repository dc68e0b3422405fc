import { javascript } from '@codemirror/lang-javascript';
import { basicSetup, EditorView } from 'codemirror';

const view = new EditorView({ doc: 'let a', extensions: [basicSetup, javascript()], parent: document.getElementById('app') });
window.model = () => ({ text: view.state.doc.toString() });
