// What every app of the frameworks keeps: one record of a form and a list of
// tasks. Each app shows it in its framework's way, with the same ids.
export const newRecord = () => ({
  name: '', age: null, notes: '', agree: false, color: 'red', size: 'small', born: '', phone: '',
  files: [], saved: [], view: 'home', tasks: [{ title: 'Tea', done: false }, { title: 'Milk', done: false }],
});

export const colors = ['red', 'green', 'blue'];
export const sizes = ['small', 'large'];

// The mask of the phone field: digits in pairs, such as 12-34-56.
export const pairs = (text) => (text.replace(/\D/g, '').slice(0, 6).match(/\d{1,2}/g) ?? []).join('-');

export const moved = (list, from, to) => {
  const rest = list.filter((_, i) => i !== from);
  return [...rest.slice(0, to), list[from], ...rest.slice(to)];
};

// Tells the tests what the framework believes.
export const tell = (read) => {
  window.model = () => {
    const { tasks, ...fields } = read();
    return { ...fields, tasks: tasks.map((task) => (task.done ? '✓ ' : '') + task.title) };
  };
};
