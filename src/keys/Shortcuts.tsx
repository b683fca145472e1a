import { history, useAccess } from '@umijs/max';
import { Modal } from 'antd';
import { Fragment, useEffect } from 'react';
import { createKeybindingsHandler } from 'tinykeys';
import { screensFound } from '@/components/screensFound';
import { GO_KEYS } from './goKeys';
import type { KeyQueue, Shown } from './keyQueue';
import styles from './keys.module.css';
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

const KEYS: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], '搜索页面、币种、对冲单、策略、用户（Mac 为 ⌘ K）'],
  [['/'], '到本页的搜索框；没有搜索框时同上'],
  [['?'], '显示本说明'],
  [['Esc'], '关闭弹窗、抽屉、下拉'],
  [['空格'], '按住一秒：确认平仓等涉及资金的操作（回车无效）'],
];

function Rows({ rows }: { rows: [keys: string[], what: string][] }) {
  return (
    <dl className={styles.keys}>
      {rows.map(([keys, what]) => (
        <Fragment key={what}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** All keys, and the screens that they lead this account to. */
function KeyHelp({ onClose }: { onClose: () => void }) {
  const access = useAccess();
  const screens = screensFound('', access);
  const letters = Object.entries(GO_KEYS).flatMap(([letter, path]): [string[], string][] => {
    const screen = screens.find((one) => one.path === path);
    return screen ? [[['g', letter], screen.name]] : [];
  });
  return (
    <Modal open title="键盘快捷键" footer={null} onCancel={onClose} width={560}>
      <Rows rows={KEYS} />
      <h3 className={styles.heading}>先按 g，再按一个字母，前往页面</h3>
      <Rows rows={letters} />
      <p className="soft">在输入框中打字或有弹窗打开时，这些按键不起作用。平仓、撤单、全部平仓没有快捷键。</p>
    </Modal>
  );
}
