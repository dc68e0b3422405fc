// Runs in the own world of a page or a worker before its first script. It writes
// down the objects that are logged at the moment they are logged and hands the
// text to the binding; otherwise a page that changes them, or moves on, takes
// them away. Arguments that are no objects travel whole in the protocol's event.
// Without a binding it only gives the function that writes a value down.
((bindingName, maxText) => {
  const send = globalThis[bindingName];
  if (bindingName && typeof send !== 'function') return;
  delete globalThis[bindingName];

  // The page may replace any of these later.
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { stringify } = JSON;
  const { isArray } = Array;
  const ObjectPrototype = Object.prototype;
  const toStringOf = Object.prototype.toString;
  const hasOwn = Object.prototype.hasOwnProperty;
  const typedTag = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
  const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach;
  const mapSize = getOwnPropertyDescriptor(Map.prototype, 'size').get;
  const setSize = getOwnPropertyDescriptor(Set.prototype, 'size').get;
  const toISO = Date.prototype.toISOString, regExpText = RegExp.prototype.toString;
  const symbolText = Symbol.prototype.toString, functionText = Function.prototype.toString;
  const slice = String.prototype.slice, test = RegExp.prototype.test, join = Array.prototype.join;
  const SeenSet = WeakSet, seenAdd = WeakSet.prototype.add, seenHas = WeakSet.prototype.has, seenDelete = WeakSet.prototype.delete;
  const NodeType = globalThis.Node, nodeType = NodeType && getOwnPropertyDescriptor(NodeType.prototype, 'nodeType').get;
  const firstChild = NodeType && getOwnPropertyDescriptor(NodeType.prototype, 'firstChild').get;
  const nodeName = NodeType && getOwnPropertyDescriptor(NodeType.prototype, 'nodeName').get;
  const nodeValue = NodeType && getOwnPropertyDescriptor(NodeType.prototype, 'nodeValue').get;
  const ElementType = globalThis.Element, localName = ElementType && getOwnPropertyDescriptor(ElementType.prototype, 'localName').get;
  const attributeNames = ElementType && ElementType.prototype.getAttributeNames, getAttribute = ElementType && ElementType.prototype.getAttribute;
  const urlText = globalThis.URL && getOwnPropertyDescriptor(URL.prototype, 'href').get;
  const pairsEach = {};
  for (const name of ['Headers', 'FormData', 'URLSearchParams']) {
    if (globalThis[name]) pairsEach[`[object ${name}]`] = globalThis[name].prototype.forEach;
  }
  // Nothing below spreads or iterates: a page may have replaced how that is done.
  const call = (f, self, a, b) => apply(f, self, [a, b]);
  const plainName = /^[A-Za-z_$][\w$]*$/;
  const voidElement = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

  const attempt = (f, otherwise) => { try { return f(); } catch { return otherwise; } };

  function className(value) {
    return attempt(() => {
      for (let proto = getPrototypeOf(value); proto; proto = getPrototypeOf(proto)) {
        const made = getOwnPropertyDescriptor(proto, 'constructor');
        if (made && typeof made.value === 'function') {
          const name = getOwnPropertyDescriptor(made.value, 'name');
          if (name && typeof name.value === 'string') return name.value;
        }
      }
      return '';
    }, '');
  }

  function write(value) {
    let text = '';
    let full = false;
    const seen = new SeenSet();
    const put = (part) => {
      if (full) return;
      text += part;
      if (text.length > maxText) { text = call(slice, text, 0, maxText) + '…'; full = true; }
    };

    function list(open, close, each) {
      let first = true;
      put(open);
      each((item) => {
        if (full) return;
        put(first ? '' : ', ');
        first = false;
        item();
      });
      put(close);
    }

    function properties(target, skipIndexes, next) {
      const keys = attempt(() => ownKeys(target), []);
      for (let k = 0; k < keys.length && !full; k++) {
        const key = keys[k];
        const property = attempt(() => getOwnPropertyDescriptor(target, key));
        if (!property || !property.enumerable) continue;
        if (skipIndexes && typeof key === 'string' && call(test, /^\d+$/, key)) continue;
        next(() => {
          put(typeof key === 'symbol' ? `[${call(symbolText, key)}]` : call(test, plainName, key) ? key : stringify(key));
          put(': ');
          if ('value' in property) show(property.value, false);
          else put(property.get ? '[Getter]' : '[Setter]');
        });
      }
    }

    function object(target) {
      // Brand checks throw on the wrong kind, which is slow: they follow the tag.
      const proto = attempt(() => getPrototypeOf(target));
      if (isArray(target)) return array(target);
      if (proto === ObjectPrototype || proto === null) return list('{', '}', (next) => properties(target, false, next));
      if (target === globalThis) return put('Window {…}');
      const tag = attempt(() => call(toStringOf, target), '');
      const name = className(target);
      switch (tag) {
        case '[object Map]': {
          const size = attempt(() => call(mapSize, target));
          if (size === undefined) break;
          put(`${name || 'Map'}(${size}) `);
          return list('{', '}', (next) => call(mapEach, target, (item, key) => next(() => { show(key, false); put(' => '); show(item, false); })));
        }
        case '[object Set]': {
          const size = attempt(() => call(setSize, target));
          if (size === undefined) break;
          put(`${name || 'Set'}(${size}) `);
          return list('{', '}', (next) => call(setEach, target, (item) => next(() => show(item, false))));
        }
        case '[object Date]': {
          const date = attempt(() => call(toISO, target));
          if (date === undefined) break;
          return put(date);
        }
        case '[object RegExp]':
          return put(attempt(() => call(regExpText, target), '/?/'));
        case '[object Error]':
        case '[object DOMException]': {
          const stack = attempt(() => target.stack);
          put(typeof stack === 'string' && stack ? stack : attempt(() => `${target.name}: ${target.message}`, 'Error'));
          return errorProperties(target);
        }
        case '[object URL]': {
          const address = attempt(() => call(urlText, target));
          if (address === undefined) break;
          return put(`URL ${address}`);
        }
        case '[object Headers]': case '[object FormData]': case '[object URLSearchParams]':
          put(`${name} `);
          return list('{', '}', (next) => call(pairsEach[tag], target, (item, key) => next(() => { show(key, false); put(' => '); show(item, false); })));
      }
      const typed = attempt(() => call(typedTag, target));
      if (typed) {
        put(`${typed}(${target.length}) `);
        return list('[', ']', (next) => { for (let i = 0, n = target.length; i < n && !full; i++) next(() => show(target[i], false)); });
      }
      const kind = nodeType && attempt(() => call(nodeType, target));
      if (kind) return put(node(target, kind));
      if (name && name !== 'Object') put(name + ' ');
      list('{', '}', (next) => {
        let any = false;
        properties(target, false, (item) => { any = true; next(item); });
        // What the browser's own objects hold lies behind accessors: a promise's state, a response's body.
        if (!any && tag !== '[object Object]') next(() => put('…'));
      });
    }

    // errorProperties writes what an error carries beside its stack.
    function errorProperties(target) {
      const keys = attempt(() => ownKeys(target), []);
      let opened = false;
      for (let k = 0; k < keys.length && !full; k++) {
        const key = keys[k];
        const property = attempt(() => getOwnPropertyDescriptor(target, key));
        if (typeof key !== 'string' || !property || !('value' in property)) continue;
        if (key === 'stack' || key === 'message' || !property.enumerable && key !== 'cause' && key !== 'errors') continue;
        put(opened ? ', ' : ' {');
        opened = true;
        put(call(test, plainName, key) ? key : stringify(key));
        put(': ');
        show(property.value, false);
      }
      if (opened) put('}');
    }

    function array(target) {
      list('[', ']', (next) => {
        for (let i = 0, n = target.length; i < n && !full; i++) {
          if (call(hasOwn, target, i)) next(() => show(getOwnPropertyDescriptor(target, i).value, false));
          else next(() => put('empty'));
        }
        if (!full && ownKeys(target).length > target.length + 1) properties(target, true, next);
      });
    }

    function show(item, top) {
      if (full) return;
      switch (typeof item) {
        case 'string': return put(top ? item : stringify(item));
        case 'bigint': return put(`${item}n`);
        case 'symbol': return put(call(symbolText, item));
        case 'function': {
          const source = attempt(() => call(functionText, item), '');
          const name = attempt(() => getOwnPropertyDescriptor(item, 'name').value, '');
          return put(`${call(test, /^class\b/, source) ? 'class' : 'ƒ'} ${typeof name === 'string' ? name : ''}`.trimEnd());
        }
        case 'object': break;
        default: return put(item === 0 && 1 / item < 0 ? '-0' : `${item}`);
      }
      if (item === null) return put('null');
      if (call(seenHas, seen, item)) return put('[Circular]');
      call(seenAdd, seen, item);
      try { object(item); } catch { put('…'); }
      call(seenDelete, seen, item);
    }

    // node writes an element without what is inside it, and other nodes by their
    // text. A clone would be shorter to write, and run the page's constructors.
    function node(target, kind) {
      const name = call(nodeName, target);
      if (kind === 3 || kind === 8) return `${name} ${stringify(call(nodeValue, target))}`;
      if (kind !== 1) return call(firstChild, target) ? `${name} …` : name;
      const tag = call(localName, target);
      const names = call(attributeNames, target);
      let head = `<${tag}`;
      for (let i = 0; i < names.length; i++) head += ` ${names[i]}=${stringify(call(getAttribute, target, names[i]))}`;
      if (head.length > 300) head = call(slice, head, 0, 300) + '…';
      if (call(firstChild, target)) return `${head}>…</${tag}>`;
      return call(test, voidElement, tag) ? `${head}>` : `${head}></${tag}>`;
    }

    attempt(() => show(value, true));
    return text;
  }

  if (!bindingName) return write;

  let writing = false; // getters and proxies may log while they are written down
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'dir', 'dirxml', 'table', 'trace', 'assert', 'group', 'groupCollapsed', 'timeLog']) {
    const original = console[method];
    if (typeof original !== 'function') continue;
    const first = method === 'assert' || method === 'timeLog' ? 1 : 0; // before it stands a condition, or a label
    const shift = method === 'assert' ? 1 : 0; // the event tells nothing of the condition
    console[method] = {
      [method](...args) {
        if (writing) return apply(original, this, args);
        writing = true;
        let texts = null;
        for (let i = first; i < args.length; i++) {
          if (!isObject(args[i])) continue;
          texts ??= {};
          texts[i - shift] = write(args[i]);
        }
        if (method === 'assert' && args.length && args[0]) texts = null;
        if (texts) attempt(() => send(stringify(texts)));
        writing = false;
        return apply(original, this, args);
      },
    }[method];
  }
})
