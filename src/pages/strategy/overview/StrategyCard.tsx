import { Button } from 'antd';
import { useState } from 'react';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';
import { Missing } from '@/components/Missing';
import { modeLabel } from '@/services/modeLabel';
import { LimitBars } from '@/strategy/LimitBars';
import { type CardFigure, CardFigures, RowCard } from '@/table/RowCard';
import type { Hands } from './hands';
import { OpenedRow } from './OpenedRow';
import { CompareTick, overviewFigures } from './overviewColumns';
import { RowActions } from './RowActions';
import { StateTags } from './StateTags';

const SHOWN = [
  'today',
  'net',
  'roi',
  'apr',
  'capital',
  'exposure',
  'drawdownShare',
  'week',
  'sharpe',
  'errors24h',
] as const;

const figuresOf = (row: OverviewRow, missing: string | undefined): CardFigure[] => [
  ...overviewFigures(row, SHOWN, missing),
  ['限额', missing === undefined ? <LimitBars key="bars" row={row} /> : <Missing key="none" reason={missing} />, true],
];

interface StrategyCardProps {
  row: OverviewRow;
  hands: Hands;
  /** Why no figure can be told yet; absent: they can. */
  missing: string | undefined;
}

/** A strategy on a phone. */
export function StrategyCard({ row, hands, missing }: StrategyCardProps) {
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
      <CardFigures figures={figuresOf(row, missing)} columns={3} />
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
