import { history, useAccess } from '@umijs/max';
import { useEffect } from 'react';
import { createKeybindingsHandler } from 'tinykeys';
import { screensFound } from '@/components/screensFound';
import { GO_KEYS } from './goKeys';
import { KeyHelp } from './KeyHelp';
import type { KeyQueue, Shown } from './keyQueue';
import { Palette } from './Palette';

/** Where the text that narrows a list down is typed. */
const SEARCH_FIELD = '.page [aria-label="搜索"], .page input[type="search"], .page search input';

/** @returns whether the screen has such a field. */
function focusSearch(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>(SEARCH_FIELD)];
  // A tab that is not shown keeps its fields.
  const field = fields.find((one) => !one.disabled && one.closest('[hidden], [aria-hidden="true"]') === null);
  field?.focus();
  field?.select();
  return field !== undefined;
}

interface ShortcutsProps {
  queue: KeyQueue;
  shown: Shown;
  onShow: (shown: Shown) => void;
}

/** What the keys of every screen do. */
export default function Shortcuts({ queue, shown, onShow }: ShortcutsProps) {
  const access = useAccess();
  useEffect(() => {
    const allowed = new Set(screensFound('', access).map(({ path }) => path));
    const go = Object.entries(GO_KEYS)
      .filter(([, path]) => allowed.has(path))
      .map(([letter, path]) => [`g ${letter}`, () => history.push(path)] as const);
    const handle = createKeybindingsHandler({
      '$mod+k': () => onShow('palette'),
      '/': () => focusSearch() || onShow('palette'),
      '?': () => onShow('help'),
      'Shift+?': () => onShow('help'),
      ...Object.fromEntries(go),
    });
    queue.take = handle;
    for (const event of queue.waiting.splice(0)) handle(event);
    return () => {
      queue.take = undefined;
    };
  }, [queue, access, onShow]);
  const close = () => onShow(null);
  return (
    <>
      {shown === 'palette' && <Palette onClose={close} />}
      {shown === 'help' && <KeyHelp onClose={close} />}
    </>
  );
}
