// Runs before the page's first script, so that none can stop what it hears.
globalThis.early ||= (() => {
  const early = { hear: null, listen };
  const pass = (event) => early.hear?.(event);
  // Taken away first: the window of a popup goes on with the popup's page, and
  // what listened to it before is still listed there but hears nothing.
  function listen() {
    for (const type of ['pointermove', 'pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dragstart', 'drop']) {
      window.removeEventListener(type, pass, { capture: true });
      window.addEventListener(type, pass, { capture: true, passive: true });
    }
  }
  listen();
  // Told at the end of loading, because to ask then would wait for the first paint.
  const tell = globalThis.agentTells;
  if (typeof tell === 'function' && window === window.top) addEventListener('pageshow', () => tell(document.title), { once: true });
  return early;
})();
