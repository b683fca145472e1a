import type { ConfirmedAction } from './ConfirmBody';
import { late } from './late';
import { openDialog } from './openDialog';

const ConfirmBody = late(() => import('./ConfirmBody'));

/**
 * Asks before something that moves money or destroys: what will happen, to what, and a button that takes
 * more than a key to press. A refusal stays in the dialog, where it can be tried again.
 */
export const confirmAction = (action: ConfirmedAction): void =>
  openDialog(`${action.verb}：${action.subject}`, 520, (close) => <ConfirmBody action={action} onClose={close} />);
