// Runs before the first paint, so that a dark console does not flash white. Keys as in src/components/useAppearance.ts.
(() => {
  const root = document.documentElement;
  root.lang = 'zh-CN';
  try {
    const theme = localStorage.getItem('theme') || 'system';
    const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    root.dataset.rise = localStorage.getItem('rise') === 'red' ? 'red' : 'green';
  } catch {
    // Without storage the page is light until the console is there.
  }
})();
