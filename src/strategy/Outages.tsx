import { Alert } from 'antd';
import type { AccountStops } from '#contract/account';
import { venueLabel } from '@/scan/venueLabel';
import { useStops } from './useStops';

/** That exchanges do not answer; nothing where all of them do. */
export function OutageBanner({ outages }: Pick<AccountStops, 'outages'>) {
  if (outages.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={`${outages.map(venueLabel).join('、')} 没有应答：那里的价格读不到，盈亏与机会缺失或是中断之前的；不开新仓，平仓与止损要等它恢复。正在重试。`}
    />
  );
}

/** The same on screens that tell nothing else of what stops. */
export function Outages() {
  const { data } = useStops();
  return data ? <OutageBanner outages={data.outages} /> : null;
}
