import type { ReactNode } from 'react';
import type { RateDeal } from '#contract/kinds/cexRate/desk';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Percent } from '@/components/Percent';
import { FigureList } from '@/strategy/FigureList';

const LIVE = '最新行情，每 3 秒读取';
const NO_PRICE = '没有成交，或没有价格';

type Figure = [label: string, formula: string, figure: (deal: RateDeal) => ReactNode];

const FIGURES: Figure[] = [
  [
    '价差 开仓 / 现在',
    '做空价 / 做多价 − 1：开仓均价与标记价。缩小则两腿合计价格盈亏为正',
    ({ gapOpen, gapNow }) => (
      <>
        <Percent value={gapOpen} digits={3} signed reason={NO_PRICE} /> /{' '}
        <Percent value={gapNow} digits={3} signed reason={NO_PRICE} />
      </>
    ),
  ],
  [
    '费率差 开仓 / 现在',
    'F7 毛年化',
    ({ aprOpen, aprNow }) => (
      <>
        <Percent value={aprOpen} signed reason="没有记录" /> / <Percent value={aprNow} signed reason="没有费率" />
      </>
    ),
  ],
  ['持有', '自两腿建成', ({ days }) => <Amount value={days} digits={1} unit="天" reason="还没有建成" />],
  ['开仓', '两腿建成的时间', ({ openedAt }) => <DateTime value={openedAt} reason="还没有建成" />],
  ['计划期满', '开仓 + 计划持有', ({ horizonAt }) => <DateTime value={horizonAt} reason="还没有建成" />],
];

/** How the prices and the rates of both venues stand beside where they stood at the entry. */
export function DealFigures({ deal }: { deal: RateDeal }) {
  return (
    <FigureList
      label="交易单"
      figures={FIGURES.map(([label, formula, figure]) => ({ label, formula, figure: figure(deal) }))}
      inputAt={LIVE}
    />
  );
}
