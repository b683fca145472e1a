import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, useEffect, useRef, useState } from 'react';
import { late } from '@/components/late';
import type { KeyQueue, Shown } from './keyQueue';

const Shortcuts = late(() => import('./Shortcuts'));

const BEGINS = /^[g/?]$/i;

/**
 * Hears the keys that work on every screen, and has a button for who has none: what they do is loaded with the first of
 * them.
 */
export function KeyListener() {
  const queue = useRef<KeyQueue>({ waiting: [], take: undefined }).current;
  const [asked, setAsked] = useState(false);
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!isFree(event)) return;
      const begins = isPaletteKey(event) || BEGINS.test(event.key);
      // The browser has a use of its own for these.
      if (isPaletteKey(event) || event.key === '/') event.preventDefault();
      if (queue.take) queue.take(event);
      else if (begins || queue.waiting.length > 0) queue.waiting.push(event);
      if (begins) setAsked(true);
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [queue]);
  const search = () => {
    setAsked(true);
    setShown('palette');
  };
  return (
    <>
      <Button type="text" icon={<SearchOutlined />} aria-label="搜索（Ctrl K）" onClick={search} />
      {asked && (
        <Suspense fallback={null}>
          <Shortcuts queue={queue} shown={shown} onShow={setShown} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  );
}

const FIELD = 'input, textarea, select, [contenteditable="true"]';
const OPEN_DIALOG = '.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open';

/** Ctrl+K, or Cmd+K. */
const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

/** Whether a key is nobody else's: nobody types, and no dialog is open. A chord is no typing. */
function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.repeat) return false;
  if (document.querySelector(OPEN_DIALOG) !== null) return false;
  return isPaletteKey(event) || !(event.target instanceof Element && event.target.closest(FIELD) !== null);
}
