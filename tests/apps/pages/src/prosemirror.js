import { exampleSetup } from 'prosemirror-example-setup';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';

const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text('First')])]);
const view = new EditorView(document.getElementById('app'), { state: EditorState.create({ doc, plugins: exampleSetup({ schema, menuBar: false }) }) });

// Bold text stands between stars, paragraphs on lines.
function marked(node) {
  if (node.isText) return node.marks.some((mark) => mark.type.name === 'strong') ? `*${node.text}*` : node.text;
  const parts = [];
  node.forEach((child) => parts.push(marked(child)));
  return parts.join(node.inlineContent ? '' : '\n');
}
window.model = () => ({ text: marked(view.state.doc) });
