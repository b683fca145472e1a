const FIELD = 'input, textarea, select, [contenteditable="true"]';
const OPEN_DIALOG = '.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open';

/** Ctrl+K, or Cmd+K. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

/** Whether a key is nobody else's: nobody types, and no dialog is open. A chord is no typing. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.repeat) return false;
  if (document.querySelector(OPEN_DIALOG) !== null) return false;
  return isPaletteKey(event) || !(event.target instanceof Element && event.target.closest(FIELD) !== null);
}
