// Fields of the React world that rewrite what is typed, and pick lists.
import { useCombobox } from 'downshift';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { IMaskInput } from 'react-imask';
import { NumericFormat, PatternFormat } from 'react-number-format';
import Select from 'react-select';

const cities = ['Rome', 'Riga', 'Oslo'];
const options = cities.map((city) => ({ value: city.toLowerCase(), label: city }));

function Combobox({ choose }) {
  const [items, setItems] = useState(cities);
  const { isOpen, getLabelProps, getMenuProps, getInputProps, getItemProps, highlightedIndex } = useCombobox({
    items,
    onInputValueChange: ({ inputValue }) => setItems(cities.filter((c) => c.toLowerCase().startsWith(inputValue.toLowerCase()))),
    onSelectedItemChange: ({ selectedItem }) => choose(selectedItem),
  });
  return (
    <div>
      <label {...getLabelProps()}>Port</label>
      <input {...getInputProps({ id: 'port' })} />
      <ul {...getMenuProps({ id: 'ports' })}>
        {isOpen && items.map((item, index) => <li key={item} style={{ fontWeight: highlightedIndex === index ? 'bold' : 'normal' }} {...getItemProps({ item, index })}>{item}</li>)}
      </ul>
    </div>
  );
}

function App() {
  const [record, setRecord] = useState({ card: '', price: null, zip: '', city: null, cities: [], port: null, upper: '', code: '' });
  window.model = () => record;
  const set = (part) => setRecord((old) => ({ ...old, ...part }));
  return (
    <>
      <IMaskInput id="card" mask="0000 0000" unmask onAccept={(card) => set({ card })} />
      <NumericFormat id="price" thousandSeparator="," prefix="$" decimalScale={2} onValueChange={({ floatValue }) => set({ price: floatValue ?? null })} />
      <PatternFormat id="zip" format="##-###" mask="_" allowEmptyFormatting onValueChange={({ value }) => set({ zip: value })} />
      <input id="upper" value={record.upper} onChange={(e) => set({ upper: e.target.value.toUpperCase() })} />
      <input id="code" value={record.code} maxLength={4} onChange={(e) => { if (/^\d*$/.test(e.target.value)) set({ code: e.target.value }); }} />
      <Select inputId="city" classNamePrefix="city" options={options} onChange={(option) => set({ city: option.value })} />
      <Select inputId="cities" classNamePrefix="cities" isMulti options={options} onChange={(chosen) => set({ cities: chosen.map((o) => o.value) })} />
      <Combobox choose={(port) => set({ port })} />
    </>
  );
}

createRoot(document.getElementById('app')).render(<App />);
