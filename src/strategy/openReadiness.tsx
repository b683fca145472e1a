import type { StrategyRow } from '#contract/strategyRow';
import { late } from '@/components/late';
import { openDialog } from '@/components/openDialog';

const LiveReadiness = late(() => import('./LiveReadiness'));

export const openReadiness = ({ id, name }: Pick<StrategyRow, 'id' | 'name'>): void =>
  openDialog(`实盘准备：${name}`, 640, () => <LiveReadiness id={id} />);
