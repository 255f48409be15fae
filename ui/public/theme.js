// Before the first paint, so that a dark room is not lit up by a white page.
(() => {
  let chosen;
  try {
    chosen = localStorage.getItem('vedette.theme');
  } catch {
    // Without storage the system decides.
  }
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const system = isDark ? 'dark' : 'light';
  document.documentElement.dataset.theme =
    chosen === 'light' || chosen === 'dark' ? chosen : system;
})();
