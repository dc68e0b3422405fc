// ---- the document, as no page can bend it ------------------------------------------

// A form hands out its fields before its own properties: in one with an
// <input name="parentNode">, form.parentNode is that input, here as in the
// page. What is read from any element goes through these.
const getter = (prototype, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(prototype, name).get);
const method = (prototype, name) => Function.prototype.call.bind(prototype[name]);

const addListener = method(EventTarget.prototype, 'addEventListener');
const adoptedStyleSheets = getter(Document.prototype, 'adoptedStyleSheets');
const animationsOf = method(Element.prototype, 'getAnimations');
const attribute = method(Element.prototype, 'getAttribute');
const attributeNames = method(Element.prototype, 'getAttributeNames');
const checkVisibility = method(Element.prototype, 'checkVisibility');
const childNodesOf = getter(Node.prototype, 'childNodes');
const closest = method(Element.prototype, 'closest');
const dispatch = method(EventTarget.prototype, 'dispatchEvent');
const fieldsOf = getter(HTMLFormElement.prototype, 'elements');
const firstElementOf = getter(Element.prototype, 'firstElementChild');
const firstElementIn = getter(DocumentFragment.prototype, 'firstElementChild');
const firstChildOf = getter(Node.prototype, 'firstChild');
const hasAttribute = method(Element.prototype, 'hasAttribute');
const matches = method(Element.prototype, 'matches');
const nextElementOf = getter(Element.prototype, 'nextElementSibling');
const nextSiblingOf = getter(Node.prototype, 'nextSibling');
const nodeTypeOf = getter(Node.prototype, 'nodeType');
const parentNodeOf = getter(Node.prototype, 'parentNode');
const querySelectorAll = method(Element.prototype, 'querySelectorAll');
const rectOf = method(Element.prototype, 'getBoundingClientRect');
const rectsOf = method(Element.prototype, 'getClientRects');
const reveal = method(Element.prototype, 'scrollIntoView');
const connected = getter(Node.prototype, 'isConnected');
const innerTextOf = getter(HTMLElement.prototype, 'innerText');
const htmlEditable = getter(HTMLElement.prototype, 'isContentEditable');
const htmlHeight = getter(HTMLElement.prototype, 'offsetHeight');
const precedence = method(Node.prototype, 'compareDocumentPosition');
const previousOf = getter(Element.prototype, 'previousElementSibling');
const rootOf = method(Node.prototype, 'getRootNode');
const shadowRootOf = getter(Element.prototype, 'shadowRoot');
const styleSheets = getter(Document.prototype, 'styleSheets');
const tagOf = getter(Element.prototype, 'localName');
const textContentOf = getter(Node.prototype, 'textContent');

const tabIndexOf = (element) => (element instanceof HTMLElement ? htmlTabIndex(element) : element.tabIndex);
const htmlTabIndex = getter(HTMLElement.prototype, 'tabIndex');
const htmlFocus = method(HTMLElement.prototype, 'focus');
const focusOn = (element) => (element instanceof HTMLElement ? htmlFocus(element, { preventScroll: true }) : element.focus({ preventScroll: true }));
// A property that fields have and forms have not.
const propertyOf = (element, name) => (tagOf(element) === 'form' ? undefined : element[name]);
// A <slot> of SVG is given nothing, nor is a <select> of it a list.
const assignedTo = (slot) => (slot instanceof HTMLSlotElement ? slot.assignedNodes() : []);
const chosenIn = (select) => (select instanceof HTMLSelectElement ? [...select.selectedOptions] : []);
const editableText = (element) => element instanceof HTMLElement && htmlEditable(element);
const shadowOf = (node) => (node instanceof Element ? shadowRootOf(node) : null);
const elementsOf = (node) => [...childNodesOf(node)].filter((child) => child instanceof Element);
const classesOf = (element) => (attribute(element, 'class') || '').split(/\s+/).filter(Boolean);
const queryAll = (root, selector) => (root instanceof Element ? Element : root instanceof Document ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

const normal = (text) => text.replace(/\s+/g, ' ').trim();
