import { late } from '@/components/late';
import { openDialog } from '@/components/openDialog';
import type { ClosedDeal } from './CloseBody';

const CloseBody = late(() => import('./CloseBody'));

/** Asks before one deal is closed: what that costs, and what follows it. */
export const confirmClosing = (deal: ClosedDeal): void =>
  openDialog(`平仓：${deal.subject}`, 620, (close) => <CloseBody deal={deal} onClose={close} />);
