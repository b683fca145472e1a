/** What the link past head and menu leads to; it was followed, and waits, where the screen has not come yet: see public/early.js. */
function arrive(screen: HTMLElement | null): void {
  const { dataset } = document.documentElement;
  if (screen === null || dataset.skip === undefined) return;
  delete dataset.skip;
  screen.focus();
}

export const SCREEN_TARGET = { id: 'screen', tabIndex: -1, ref: arrive } as const;
