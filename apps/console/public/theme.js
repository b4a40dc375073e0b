// Runs before the first paint, so that a dark screen never flashes white. A file of its own, because the
// content security policy refuses inline scripts.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('darkMode');
  } catch {
    // Storage is switched off: the system preference decides.
  }
  const dark = choice === null ? matchMedia('(prefers-color-scheme: dark)').matches : choice === 'true';
  document.documentElement.classList.toggle('dark', dark);
})();
