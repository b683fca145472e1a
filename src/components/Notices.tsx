import { useAccess } from '@umijs/max';
import { notification } from 'antd';
import type { StreamEvents, Topic } from '#contract/stream';
import { onSession } from '@/services/sessionSignal';
import { useStream } from '@/services/useStream';
import { formatDateTime } from './DateTime';

const OWN: Topic[] = ['notice'];
const EVERYBODYS: Topic[] = ['notice', 'notice:all'];

/** Shows on every screen what the server has to tell; a master hears of everybody's hedges. */
export function Notices() {
  const { isMaster } = useAccess();
  useStream(isMaster ? EVERYBODYS : OWN, (event) => {
    if (event.name === 'notice') hearNotice(event.data);
  });
  return null;
}

type Notice = StreamEvents['notice'];

const TITLE: Record<Notice['level'], string> = { info: '消息', warning: '注意', error: '需要处理' };
/** Below the header, px. */
const TOP = 64;
/** On a phone it must not cover the dialog above, and in the dark it must stand out from the page. */
const PHONE = window.matchMedia('(max-width: 640px)');
const FRAME = { root: { border: '1px solid var(--line)' } };
/** Under which the browser keeps what it has shown, and the lock by which one tab at a time looks there. */
const NAME = 'notices';
/** How many are remembered as shown, and how many wait at most for a tab to be seen. */
const MOST = 50;

/** What came while nobody looked at this tab. */
let waiting: Notice[] = [];

/** The same text at the same instant is the same notice, by whichever topic and however often it comes. */
const nameOf = ({ at, text }: Notice): string => `${at} ${text}`;

/** Whether no tab has shown it yet; from then on one has. */
function claim(name: string): boolean {
  try {
    const shown = JSON.parse(localStorage.getItem(NAME) ?? '[]') as string[];
    if (shown.includes(name)) return false;
    localStorage.setItem(NAME, JSON.stringify([...shown, name].slice(-MOST)));
  } catch {
    // Without storage each tab that is seen shows it, once: its name is also its key.
  }
  return true;
}

function show(notice: Notice): void {
  const { level, text, at } = notice;
  notification.open({
    key: nameOf(notice),
    type: level,
    title: TITLE[level],
    placement: PHONE.matches ? 'bottom' : 'topRight',
    styles: FRAME,
    description: (
      <>
        {text} <time className="soft">{formatDateTime(at, 'second').slice(11)}</time>
      </>
    ),
    // What needs a person stays until it is closed.
    ...(level === 'error' ? { duration: false as const } : {}),
  });
}

/** Shows a notice once in this browser: in the tab that is seen, or in the first one that is seen again. */
function hearNotice(notice: Notice): void {
  if (document.hidden) {
    waiting = [...waiting, notice].slice(-MOST);
    return;
  }
  // Two windows side by side hear it at the same moment.
  void navigator.locks.request(NAME, {}, async () => {
    if (claim(nameOf(notice))) show(notice);
  });
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  const came = waiting;
  waiting = [];
  for (const notice of came) hearNotice(notice);
});

// What was for one account is not for the next.
onSession(() => {
  waiting = [];
  notification.destroy();
  try {
    localStorage.removeItem(NAME);
  } catch {
    // Then nothing was kept.
  }
});

notification.config({ top: TOP });
