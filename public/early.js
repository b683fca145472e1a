// Runs before everything else. Keys as in src/components/useAppearance.ts.
(() => {
  const root = document.documentElement;
  root.lang = 'zh-CN';
  // Who signs in or registers has no frame around it.
  root.toggleAttribute('data-bare', /^\/(login|register)\/?$/.test(location.pathname));
  try {
    // A dark console must not flash white.
    const theme = localStorage.getItem('theme') || 'system';
    const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    root.dataset.rise = localStorage.getItem('rise') === 'red' ? 'red' : 'green';
  } catch {
    // Without storage the page is light until the console is there.
  }
  // The way past head and menu leaves the address alone. Where the screen has not come yet it is led to once it has.
  window.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('.skip-link')) return;
    event.preventDefault();
    const screen = document.getElementById('screen');
    if (screen) screen.focus();
    else root.dataset.skip = '';
  });
  // A script that was asked for early and failed would be waited for until the time is up:
  // once it is gone from the page, the loader asks again and learns of the failure itself.
  const dropFailed = ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    target.remove();
    // Without its main script the page would stay blank for ever.
    const place = document.getElementById('root');
    if (/\/umi\.[^/]*js$/.test(target.src) && place) place.textContent = '控制台加载失败，请检查网络后刷新页面';
  };
  window.addEventListener('error', dropFailed, true);
})();
