import { openDialog } from '@/components/openDialog';
import { CloseBody, type ClosedDeal } from './CloseBody';

/** Asks before one deal is closed: what that costs, and what follows it. */
export const confirmClosing = (deal: ClosedDeal): void =>
  openDialog(`平仓：${deal.subject}`, 620, (close) => <CloseBody deal={deal} onClose={close} />);
