import { StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { colors, moved, newRecord, pairs, sizes, tell } from './record.js';

function Task({ task, index, change, remove, drag, drop }) {
  const [draft, setDraft] = useState(null);
  const commit = () => { if (draft !== null) change({ title: draft }); setDraft(null); };
  return (
    <li className="task" draggable onDragStart={() => drag(index)} onDragOver={(e) => e.preventDefault()} onDrop={() => drop(index)}>
      <input className="toggle" type="checkbox" checked={task.done} onChange={(e) => change({ done: e.target.checked })} />
      <label className="title" onDoubleClick={() => setDraft(task.title)}>{task.title}</label>
      {draft !== null && (
        <input className="edit" autoFocus value={draft} onChange={(e) => setDraft(e.target.value)} onBlur={commit}
          onKeyDown={(e) => { if (e.key === 'Enter') commit(); if (e.key === 'Escape') setDraft(null); }} />
      )}
      <button className="remove" onClick={remove}>Remove</button>
    </li>
  );
}

function App() {
  const [record, setRecord] = useState(newRecord);
  const [text, setText] = useState('');
  const dragged = useRef(0);
  tell(() => record);
  const set = (part) => setRecord((old) => ({ ...old, ...part }));
  const setTask = (index, part) => set({ tasks: record.tasks.map((task, i) => (i === index ? { ...task, ...part } : task)) });
  const add = (e) => {
    if (e.key !== 'Enter' || !text) return;
    set({ tasks: [...record.tasks, { title: text, done: false }] });
    setText('');
  };
  return (
    <>
      <form id="form" onSubmit={(e) => { e.preventDefault(); set({ saved: [...record.saved, record.name] }); }}>
        <label>Name <input id="name" value={record.name} onChange={(e) => set({ name: e.target.value })} /></label>
        <label>Age <input id="age" type="number" value={record.age ?? ''} onChange={(e) => set({ age: e.target.value === '' ? null : Number(e.target.value) })} /></label>
        <label>Notes <textarea id="notes" value={record.notes} onChange={(e) => set({ notes: e.target.value })} /></label>
        <label><input id="agree" type="checkbox" checked={record.agree} onChange={(e) => set({ agree: e.target.checked })} /> I agree</label>
        <select id="color" value={record.color} onChange={(e) => set({ color: e.target.value })}>{colors.map((c) => <option key={c}>{c}</option>)}</select>
        {sizes.map((size) => <label key={size}><input id={size} type="radio" name="size" checked={record.size === size} onChange={() => set({ size })} /> {size}</label>)}
        <label>Born <input id="born" type="date" value={record.born} onChange={(e) => set({ born: e.target.value })} /></label>
        <label>Phone <input id="phone" value={record.phone} onChange={(e) => set({ phone: pairs(e.target.value) })} /></label>
        <input id="files" type="file" multiple onChange={(e) => set({ files: [...e.target.files].map((f) => f.name) })} />
        <button id="save" disabled={!record.name}>Save</button>
      </form>
      <a id="about" href="/about" onClick={(e) => { e.preventDefault(); history.pushState(null, '', '/about'); set({ view: 'about' }); }}>About</a>
      <input id="task" placeholder="What needs to be done?" value={text} onChange={(e) => setText(e.target.value)} onKeyDown={add} />
      <ul>
        {record.tasks.map((task, i) => (
          <Task key={task.title} task={task} index={i} change={(part) => setTask(i, part)} remove={() => set({ tasks: record.tasks.filter((_, j) => j !== i) })}
            drag={(from) => { dragged.current = from; }} drop={(to) => set({ tasks: moved(record.tasks, dragged.current, to) })} />
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById('app')).render(<StrictMode><App /></StrictMode>);
