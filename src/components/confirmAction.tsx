import { Modal } from 'antd';
import { ConfirmBody, type ConfirmedAction } from './ConfirmBody';

/**
 * Asks before something that moves money or destroys: what will happen, to what, and a button that takes
 * more than a key to press. A refusal stays in the dialog, where it can be tried again.
 */
export function confirmAction(action: ConfirmedAction): void {
  const dialog = Modal.confirm({
    title: `${action.verb}：${action.subject}`,
    icon: null,
    footer: null,
    closable: true,
    // A stray key or click beside it must decide nothing, and answers nothing either.
    focusable: { autoFocusButton: null },
    width: 'min(520px, calc(100vw - 32px))',
    content: <ConfirmBody action={action} onClose={() => dialog.destroy()} />,
  });
}
