import { late } from '@/components/late';
import { openDialog } from '@/components/openDialog';
import type { OpeningAction } from './OpeningBody';

const OpeningBody = late(() => import('./OpeningBody'));

/**
 * Asks before something after which the engine may open more: shows what, with sums and costs, and lets it be chosen.
 * What would open has to be held; where nothing would, a click is enough.
 */
export const confirmOpening = (action: OpeningAction): void =>
  openDialog(action.title ?? `${action.verb}：${action.subject}`, 760, (close) => (
    <OpeningBody action={action} onClose={close} />
  ));
