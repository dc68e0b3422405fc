import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical';

const root = document.createElement('div');
root.id = 'editor';
root.contentEditable = 'true';
document.getElementById('app').append(root);

const editor = createEditor({ onError: (error) => { throw error; } });
editor.setRootElement(root);
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode('First'))), { discrete: true });

window.model = () => editor.getEditorState().read(() => ({
  text: $getRoot().getTextContent(),
  bold: $getRoot().getAllTextNodes().filter((node) => node.hasFormat('bold')).map((node) => node.getTextContent()),
}));
