import { Button } from 'antd';
import { useState } from 'react';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';
import { modeLabel } from '@/services/modeLabel';
import { LimitBars } from '@/strategy/LimitBars';
import { type CardFigure, CardFigures, RowCard } from '@/table/RowCard';
import type { Hands } from './hands';
import { OpenedRow } from './OpenedRow';
import { CompareTick, overviewFigures } from './overviewColumns';
import { RowActions } from './RowActions';
import { Sparkline } from './Sparkline';
import { StateTags } from './StateTags';

const figuresOf = (row: OverviewRow): CardFigure[] => [
  ...overviewFigures(row, ['today', 'net', 'roi', 'apr', 'capital', 'exposure', 'drawdownShare']),
  ['近 7 日', <Sparkline key="week" values={row.week} />],
  ...overviewFigures(row, ['sharpe', 'errors24h']),
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
            <StateTags row={row} />
          </span>
        </>
      }
    >
      <span className="soft">
        {STRATEGY_KIND_LABEL[row.kind]} · {row.user} · {modeLabel(row.mode)}
      </span>
      <CardFigures figures={figuresOf(row)} columns={3} />
      <span>
        <RowActions now={() => row} {...hands} />{' '}
        <Button size="small" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? '收起' : '展开'}
        </Button>
      </span>
      {isOpen && <OpenedRow row={row} />}
    </RowCard>
  );
}
