/** @jsxImportSource preact */
import { render } from 'preact';
import { useReducer } from 'preact/hooks';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

const record = newRecord();
let draft = { index: -1, title: '' };
let dragged = 0;
tell(() => record);

function App() {
  const [, redraw] = useReducer((n) => n + 1, 0);
  const set = (part) => { Object.assign(record, part); redraw(); };
  const edit = (index, title) => { draft = { index, title }; redraw(); };
  const commit = () => { if (draft.index >= 0) record.tasks[draft.index].title = draft.title; edit(-1, ''); };
  const add = (e) => {
    if (e.key !== 'Enter' || !e.target.value) return;
    set({ tasks: [...record.tasks, { title: e.target.value, done: false }] });
    e.target.value = '';
  };
  const mask = (e) => { set({ phone: pairs(e.target.value) }); e.target.value = record.phone; };
  return (
    <>
      <form id="form" onSubmit={(e) => { e.preventDefault(); set({ saved: [...record.saved, record.name] }); }}>
        <label>Name <input id="name" value={record.name} onInput={(e) => set({ name: e.target.value })} /></label>
        <label>Age <input id="age" type="number" onInput={(e) => set({ age: e.target.value === '' ? null : e.target.valueAsNumber })} /></label>
        <label>Notes <textarea id="notes" value={record.notes} onInput={(e) => set({ notes: e.target.value })} /></label>
        <label><input id="agree" type="checkbox" checked={record.agree} onChange={(e) => set({ agree: e.target.checked })} /> I agree</label>
        <select id="color" value={record.color} onChange={(e) => set({ color: e.target.value })}>{colors.map((c) => <option>{c}</option>)}</select>
        {sizes.map((size) => <label><input id={size} type="radio" name="size" checked={record.size === size} onChange={() => set({ size })} /> {size}</label>)}
        <label>Born <input id="born" type="date" value={record.born} onInput={(e) => set({ born: e.target.value })} /></label>
        <label>Phone <input id="phone" value={record.phone} onInput={mask} /></label>
        <input id="files" type="file" multiple onChange={(e) => set({ files: [...e.target.files].map((f) => f.name) })} />
        <button id="save" disabled={!record.name}>Save</button>
      </form>
      <a id="about" href="/about" onClick={(e) => { e.preventDefault(); history.pushState(null, '', '/about'); set({ view: 'about' }); }}>About</a>
      <input id="task" placeholder="What needs to be done?" onKeyDown={add} />
      <ul>
        {record.tasks.map((task, i) => (
          <li class="task" draggable onDragStart={() => { dragged = i; }} onDragOver={(e) => e.preventDefault()} onDrop={() => set({ tasks: moved(record.tasks, dragged, i) })}>
            <input class="toggle" type="checkbox" checked={task.done} onChange={(e) => { task.done = e.target.checked; redraw(); }} />
            <label class="title" onDblClick={() => edit(i, task.title)}>{task.title}</label>
            {draft.index === i && (
              <input class="edit" ref={(input) => input?.focus()} value={draft.title} onInput={(e) => edit(i, e.target.value)} onBlur={commit}
                onKeyDown={(e) => { if (e.key === 'Enter') commit(); if (e.key === 'Escape') edit(-1, ''); }} />
            )}
            <button class="remove" onClick={() => set({ tasks: record.tasks.filter((_, j) => j !== i) })}>Remove</button>
          </li>
        ))}
      </ul>
    </>
  );
}

render(<App />, document.getElementById('app'));
