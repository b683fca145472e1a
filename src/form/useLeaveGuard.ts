import { history } from '@umijs/max';
import { useEffect, useRef } from 'react';
import { confirmAction } from '@/components/confirmAction';

interface LeaveGuard {
  /** What is edited, as the question calls it. */
  subject: string;
  /** Labels of what was typed and not saved; nothing to ask about when empty. */
  unsaved: readonly string[];
}

/** Asks before typed values are thrown away. */
function confirmDiscard({ subject, unsaved }: LeaveGuard, discard: () => void): void {
  confirmAction({
    verb: '放弃修改',
    subject,
    consequence: `改过的 ${unsaved.length} 项不会保存：${unsaved.join('、')}。`,
    run: async () => discard(),
  });
}

/**
 * Asks before what was typed is lost: on closing, through `leave`, on the way to another screen and, by the browser, on
 * reload. A change of the query is no leaving, and whose session has ended is not kept.
 */
export function useLeaveGuard(guard: LeaveGuard): { leave: (go: () => void) => void } {
  const latest = useRef(guard);
  latest.current = guard;
  const isTyped = guard.unsaved.length > 0;

  useEffect(() => {
    if (!isTyped) return;
    let isOver = false;
    let unblock = () => {};
    const block = () => {
      unblock = history.block((move) => {
        const pass = () => {
          unblock();
          const stop = history.listen(() => {
            stop();
            if (!isOver) block();
          });
          move.retry();
        };
        const { pathname } = move.location;
        if (pathname === history.location.pathname || pathname === '/login') pass();
        else confirmDiscard(latest.current, pass);
      });
    };
    block();
    return () => {
      isOver = true;
      unblock();
    };
  }, [isTyped]);

  return { leave: (go) => (isTyped ? confirmDiscard(latest.current, go) : go()) };
}
