import { useMemo } from 'react';
import { isLiveSource, type VenueSource } from '#contract/candle';
import type { OkxDesk } from '#contract/kinds/okx/desk';
import { scanPast } from '#contract/scanPast';
import type { Curve, Level, Mark } from '@/chart/curve';
import { EmptyState } from '@/components/EmptyState';
import { Percent } from '@/components/Percent';
import { PastFrame } from '@/scan/PastFrame';
import { useCall } from '@/services/useCall';
import own from './okx.module.css';

const REFRESH_MS = 60_000;
const ZERO: Level[] = [{ name: '打平', value: 0 }];
const NONE: OkxDesk['trades'] = [];

interface GapPastProps {
  base: string;
  buy: VenueSource;
  sell: VenueSource;
  /** Of the owner's strategy, which are marked. */
  trades?: OkxDesk['trades'];
}

/** What a coin would have netted one way round over the last day, with the trades that were made. */
export function GapPast(props: GapPastProps) {
  if (!isLiveSource(props.buy)) return <KeptPast {...props} />;
  const description = '实时行情保存 K 线与资金费，不保存过去的盘口；现在的价差在机会列表里';
  return <EmptyState title="没有过去的净价差" description={description} />;
}

function KeptPast({ base, buy, sell, trades = NONE }: GapPastProps) {
  const reading = useCall(scanPast.arbitrage, { query: { base, buy, sell } }, { refreshInterval: REFRESH_MS });
  const { data } = reading;
  const curves = useMemo((): Curve[] => [{ name: '净价差', values: data?.netBps ?? [], unit: 'bps' }], [data]);
  const first = data?.time[0] ?? Number.POSITIVE_INFINITY;
  const marks = useMemo(
    () =>
      trades
        .filter((trade) => trade.at >= first && trade.buy === buy && trade.symbol.startsWith(base))
        .map(({ at, net }): Mark => ({ at, text: '成交', color: (net ?? 0) > 0 ? 'up' : 'down', side: 'above' })),
    [trades, first, buy, base],
  );
  return (
    <section aria-label="净价差">
      <h3 className={own.title}>
        净价差 24 小时
        {data && (
          <span className="soft">
            {' '}
            F25 按最优价，每 5 分钟抽样；由负转正 {data.above} 次，为正{' '}
            <Percent value={data.share} digits={1} reason="没有报价" />
          </span>
        )}
      </h3>
      <PastFrame label="24 小时净价差" reading={reading} curves={curves} levels={ZERO} marks={marks} />
    </section>
  );
}
