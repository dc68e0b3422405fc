// Runs before the page's first script, so that none can stop what it hears.
globalThis.early ||= (() => {
  const early = { hear: null, listen };
  const pass = (event) => early.hear?.(event);
  const nobody = () => {};
  function listen() {
    for (const type of ['pointermove', 'pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dragstart', 'drop']) {
      window.addEventListener(type, pass, { capture: true, passive: true });
      // The window of a popup goes on from the empty document with the page, and
      // the browser forgets that anybody listens there until somebody comes.
      window.addEventListener(type, nobody, { capture: true });
      window.removeEventListener(type, nobody, { capture: true });
    }
  }
  listen();
  // Told at the end of loading, because to ask then would wait for the first paint.
  const tell = globalThis.agentTells;
  if (typeof tell === 'function' && window === window.top) addEventListener('pageshow', () => tell(document.title.slice(0, 1000)), { once: true });
  return early;
})();
