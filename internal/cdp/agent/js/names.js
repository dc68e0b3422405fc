function roleOf(element) { return element.getAttribute('role') || ({ button: 'button', a: 'link' })[element.localName] || 'generic'; }
function nameOf(element) { return normal(element.getAttribute('aria-label') || element.textContent).slice(0, 1000); }
function statesOf() { return []; }
function hiddenFromNames(element) { return !element.checkVisibility({ visibilityProperty: true }) || Boolean(element.closest('[aria-hidden="true"]')); }
