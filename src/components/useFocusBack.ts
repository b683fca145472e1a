import { useEffect, useState } from 'react';

/**
 * What is over the screen until it is taken away gives the focus back to where it came from: antd's dialogs do so by
 * themselves, its drawers only when they stay and are closed.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Whoever went on by a click is somewhere else already.
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      if (isNowhere && before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
}
