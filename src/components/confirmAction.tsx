import { Modal } from 'antd';
import type { ReactNode } from 'react';

interface Action {
  /** What will be done, the button's text: `删除`. */
  verb: string;
  /** What it is done to. */
  subject: ReactNode;
  /** What follows from it, in a sentence. */
  consequence: ReactNode;
  /** Does it; the dialog stays open while it runs and when it is refused. */
  run: () => Promise<unknown>;
}

/** Asks before anything that moves money or destroys; the safe button has the focus. */
export function confirmAction({ verb, subject, consequence, run }: Action): void {
  Modal.confirm({
    title: (
      <>
        {verb} {subject}
      </>
    ),
    content: consequence,
    okText: verb,
    okButtonProps: { danger: true },
    cancelText: '取消',
    autoFocusButton: 'cancel',
    onOk: run,
  });
}
