import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';

const app = document.getElementById('app');
app.innerHTML = '<button id="bold">Bold</button><div id="editor"></div>';
const editor = new Editor({ element: document.getElementById('editor'), extensions: [StarterKit], content: '<p>First</p>' });
// A toolbar that takes the focus and gives it back.
document.getElementById('bold').addEventListener('click', () => editor.chain().focus().toggleBold().run());
window.model = () => ({ html: editor.getHTML() });
