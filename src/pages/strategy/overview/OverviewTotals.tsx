import { STRATEGY_STATES, type StrategyState } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { type FigureTile, FigureTiles } from '@/components/FigureTiles';
import { Pnl } from '@/components/Pnl';
import { usePreparing } from '@/components/usePreparing';
import { STRATEGY_STATE_LABEL } from '@/strategy/strategyLabels';
import { byMoney } from '@/strategy/strategyTotals';

type Figure = 'today' | 'net' | 'notional' | 'exposure' | 'capital';

/** What an account made counts those as well. */
const SUM = '列出的各策略之和；已删除的策略不在内，账户总览计入它们';
const NO_PRICE = '有策略持有的标的没有价格';

const totalOf = (rows: readonly OverviewRow[], figure: Figure): number | null =>
  rows.reduce<number | null>((sum, row) => (sum === null || row[figure] === null ? null : sum + row[figure]), 0);

interface OverviewTotalsProps {
  rows: readonly OverviewRow[];
  at: number;
}

/** What the strategies that are shown come to together: those with real money apart from the others. */
export function OverviewTotals({ rows, at }: OverviewTotalsProps) {
  return byMoney(rows).map(([money, own]) => <Totals key={money} money={money} rows={own} at={at} />);
}

function Totals({ money, rows, at }: OverviewTotalsProps & { money: string }) {
  const counted = (each: StrategyState) => rows.filter(({ state }) => state === each).length;
  const missing = usePreparing();
  const states = STRATEGY_STATES.filter((state) => counted(state) > 0);
  const tiles: FigureTile[] = [
    {
      label: `${money}策略`,
      formula: '列出的策略',
      figure: rows.length,
      detail: states.map((state) => `${STRATEGY_STATE_LABEL[state]} ${counted(state)}`).join('，'),
    },
    {
      label: `${money}今日盈亏`,
      formula: SUM,
      window: '自 UTC 零点',
      figure: <Pnl value={totalOf(rows, 'today')} reason={NO_PRICE} />,
    },
    {
      label: `${money}累计盈亏`,
      formula: SUM,
      window: '自创建以来',
      figure: <Pnl value={totalOf(rows, 'net')} reason={NO_PRICE} />,
    },
    { label: `${money}占用本金`, formula: 'F12 之和', figure: <Amount compact value={totalOf(rows, 'capital')} /> },
    {
      label: `${money}名义`,
      formula: '持有的各腿名义之和',
      figure: <Amount compact value={totalOf(rows, 'notional')} reason={NO_PRICE} />,
    },
    {
      label: `${money}净敞口`,
      formula: 'F10 之和；两腿数量相等的按一个价格计，基差不算敞口',
      figure: <Amount signed value={totalOf(rows, 'exposure')} reason={NO_PRICE} />,
    },
  ];
  return (
    <FigureTiles
      label={`${money}合计`}
      missing={missing}
      inputAt={<DateTime value={at} precision="second" />}
      tiles={tiles}
    />
  );
}
