import type { StrategyRow } from '#contract/strategyRow';
import { late } from '@/components/late';
import { openDialog } from '@/components/openDialog';
import { worded } from '@/services/modeLabel';

const LiveReadiness = late(() => import('./LiveReadiness'));

/** @param promote makes it real with params of such a size */
export const openReadiness = (
  row: Pick<StrategyRow, 'id' | 'name'>,
  params: object,
  promote: (params: object) => void,
): void =>
  openDialog(`${worded('实盘准备')}：${row.name}`, 640, (close) => (
    <LiveReadiness
      id={row.id}
      params={params}
      onPromote={(sized) => {
        close();
        promote(sized);
      }}
    />
  ));
