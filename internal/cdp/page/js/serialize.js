// Evaluated once per document in its own world; gives the function that writes
// values. What it relies on is taken from a fresh frame-free copy where a page
// may have changed it: nothing below iterates, spreads, or calls what an object
// inherits.
(() => {
  const { apply, getPrototypeOf } = Reflect;
  const { stringify } = JSON;
  const { isArray } = Array;
  const functionText = Function.prototype.toString;
  const describe = Object.prototype.toString;
  const keysOf = Object.keys;
  const isSame = Object.is;
  const native = /\{\s*\[native code\]\s*\}$/;
  const test = RegExp.prototype.test;
  const slice = String.prototype.slice;
  const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach;
  const call = (f, self, a, b) => apply(f, self, [a, b]);
  const attempt = (f, otherwise) => { try { return f(); } catch (error) { return otherwise(error); } };

  // Text of what JSON has no word for; null for what it has.
  function bare(item) {
    switch (typeof item) {
      case 'undefined': return 'undefined';
      case 'bigint': return `${item}n`;
      case 'symbol': return call(Symbol.prototype.toString, item);
      case 'function': return `[function ${item.name || '(anonymous)'}]`;
      case 'number': return isSame(item, -0) ? '-0' : Number.isFinite(item) ? null : `${item}`;
      default: return null;
    }
  }

  // toJSON of the platform (Date, URL, …) or of the object's own class; not one
  // that a page hung on the prototypes that all objects share.
  function toJSON(item) {
    const f = item.toJSON;
    if (typeof f !== 'function') return null;
    const shared = f === Object.prototype.toJSON || f === Array.prototype.toJSON;
    return shared && !call(test, native, call(functionText, f)) ? null : f;
  }

  function writer(maxText) {
    const ancestors = [];
    let length = 0;
    const state = { cut: false };
    const put = (part) => { length += part.length; return part; };
    const quoted = (text) => put(stringify(text.length > maxText ? (state.cut = true, `${call(slice, text, 0, maxText)}…`) : text));
    const full = () => length > maxText && (state.cut = true);

    function write(item) {
      if (full()) return '"…"';
      const odd = bare(item);
      if (odd !== null) return put(stringify(odd[0] === '[' ? odd : `[${odd}]`));
      if (typeof item === 'string') return quoted(item);
      if (typeof item !== 'object' || item === null) return put(`${item}`);
      for (let i = 0; i < ancestors.length; i++) if (ancestors[i] === item) return put('"[Circular]"');
      if (ancestors.length > 100) { state.cut = true; return put('"…"'); }
      ancestors[ancestors.length] = item;
      const text = attempt(() => object(item), (error) => quoted(`[throws ${error}]`));
      ancestors.length--;
      return text;
    }

    function list(items) {
      let text = put('[');
      for (let i = 0, n = items.length; i < n && !full(); i++) text += (i ? put(',') : '') + write(items[i]);
      return text + put(']');
    }

    function object(item) {
      if (item instanceof Node) return quoted(node(item));
      if (item === globalThis) return put('"[Window]"');
      if (item instanceof Error) return quoted(`[${item.stack || item}]`);
      if (item instanceof RegExp) return quoted(`${item}`);
      if (item instanceof Promise) return put('"[Promise]"');
      if (item instanceof Map) {
        const pairs = [];
        call(mapEach, item, (value, key) => { pairs[pairs.length] = [key, value]; });
        return `${put('{"[Map]":')}${list(pairs)}${put('}')}`;
      }
      if (item instanceof Set) {
        const members = [];
        call(setEach, item, (value) => { members[members.length] = value; });
        return `${put('{"[Set]":')}${list(members)}${put('}')}`;
      }
      if (isArray(item) || item instanceof NodeList || item instanceof HTMLCollection) return list(item);
      if (ArrayBuffer.isView(item) && !(item instanceof DataView)) return list(item);
      if (item instanceof ArrayBuffer) return put(`"[ArrayBuffer ${item.byteLength} bytes]"`);
      const plain = toJSON(item);
      if (plain) {
        const made = call(plain, item);
        return made === item ? fields(item) : write(made);
      }
      return fields(item);
    }

    function fields(item) {
      let keys = keysOf(item);
      if (!keys.length && getPrototypeOf(item) && getPrototypeOf(item) !== Object.prototype) {
        keys = []; // platform objects keep their fields on the prototype
        for (const key in item) if (typeof attempt(() => item[key], () => null) !== 'function') keys[keys.length] = key;
      }
      let text = put('{');
      for (let i = 0; i < keys.length && !full(); i++) {
        text += `${i ? put(',') : ''}${put(stringify(keys[i]))}${put(':')}${attempt(() => write(item[keys[i]]), (error) => quoted(`[throws ${error}]`))}`;
      }
      return text + put('}');
    }

    function node(item) {
      if (item instanceof Element) {
        const html = item.outerHTML;
        return html.length > 500 ? `${call(slice, html, 0, 500)}…` : html;
      }
      if (item instanceof Document) return `[document ${item.URL}]`;
      return `[${item.nodeName} ${call(slice, item.nodeValue || '', 0, 200)}]`;
    }

    return { write, state };
  }

  // Called on the value of an expression. A function that is the whole expression
  // is called first, with the element when one was named.
  return async function (expression, element, hasElement, awaiting, maxText) {
    let value = this;
    if (typeof value === 'function') {
      const source = call(functionText, value);
      const literal = expression.trim().replace(/;+$/, '').replace(/^\(([^]*)\)$/, '$1').trim();
      if (source !== literal && source !== expression.trim()) return { function: call(slice, source.split('{')[0].trim(), 0, 200) };
      value = hasElement ? call(value, element, element) : value();
    }
    if (awaiting) value = await value;
    else if (value instanceof Promise) return { text: 'Promise {<pending>}' };
    const odd = bare(value);
    if (odd !== null) return { text: odd };
    const { write, state } = writer(maxText);
    const text = write(value);
    return { text, cut: state.cut };
  };
})()
