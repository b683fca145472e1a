import { Button } from 'antd';
import { useState } from 'react';
import type { OverviewRow } from '#contract/strategyOverview';
import { Amount } from '@/components/Amount';
import { HELD_BRIEFLY } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { KINDS } from '@/kinds';
import { STRATEGY_MODE_LABEL } from '@/strategy/strategyLabels';
import { type CardFigure, CardFigures, RowCard } from '@/table/RowCard';
import type { Hands } from './hands';
import { LimitBars } from './LimitBars';
import { OpenedRow } from './OpenedRow';
import { CompareTick, NO_PRICE, NOTHING_HELD } from './overviewColumns';
import { RowActions } from './RowActions';
import { Sparkline } from './Sparkline';
import { StateTags } from './StateTags';

const figuresOf = (row: OverviewRow): CardFigure[] => [
  ['今日盈亏', <Pnl key="today" value={row.today} reason={NO_PRICE} />],
  ['累计盈亏', <Pnl key="net" value={row.net} reason={NO_PRICE} />],
  ['收益率', <Pnl key="roi" percent value={row.roi} reason={NOTHING_HELD} />],
  ['年化', <Pnl key="apr" percent value={row.apr} reason={HELD_BRIEFLY} />],
  ['占用本金', <Amount key="capital" compact value={row.capital} />],
  ['净敞口', <Amount key="exposure" value={row.exposure} reason={NO_PRICE} />],
  ['回撤', <Percent key="drawdown" value={row.drawdownShare} reason={NOTHING_HELD} />],
  ['近 7 日', <Sparkline key="week" values={row.week} />],
  ['夏普 30d', <Amount key="sharpe" value={row.sharpe} reason="不足 20 日" />],
  ['错误 24h', <Amount key="errors" value={row.errors24h} digits={0} />],
  ['限额', <LimitBars key="limits" row={row} />, true],
];

/** A strategy on a phone. */
export function StrategyCard({ row, hands }: { row: OverviewRow; hands: Hands }) {
  const [isOpen, open] = useState(false);
  return (
    <RowCard
      label={`${row.name} · ${row.user}`}
      head={
        <>
          <CompareTick row={row} {...hands} />
          <span>
            <StateTags row={row} at={hands.at} />
          </span>
        </>
      }
    >
      <span className="soft">
        {KINDS[row.kind].label} · {row.user} · {STRATEGY_MODE_LABEL[row.mode]}
      </span>
      <CardFigures figures={figuresOf(row)} columns={3} />
      <span>
        <RowActions row={row} {...hands} />{' '}
        <Button size="small" autoInsertSpace={false} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? '收起' : '展开'}
        </Button>
      </span>
      {isOpen && <OpenedRow row={row} />}
    </RowCard>
  );
}
