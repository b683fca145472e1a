import { useEffect } from 'react';

const EDITABLE = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="combobox"]';

/** `[` and `]` go to the coin before and after, unless somebody is typing. */
export function useNeighbourKeys(goPrevious: (() => void) | null, goNext: (() => void) | null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(EDITABLE)) return;
      if (event.key === '[') goPrevious?.();
      if (event.key === ']') goNext?.();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [goPrevious, goNext]);
}
