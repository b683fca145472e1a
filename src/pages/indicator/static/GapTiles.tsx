import type { Comparison } from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { formatDateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { Pnl } from '@/components/Pnl';

type Totals = NonNullable<Comparison['totals']>;
type Part = Exclude<keyof Totals, 'traded' | 'bps'>;

const TILES: readonly [Part, label: string, formula: string][] = [
  ['live', '实盘净盈亏', '价格盈亏 + 资金费 − 手续费（F11）'],
  ['backtest', '回测净盈亏', '零成本回测的价格盈亏 + 资金费，按目标名义'],
  ['gap', '差额', '实盘 − 回测；bps = 差额 / 成交额 × 10⁴'],
  ['slippage', '滑点', '−Σ (成交价 − 决策时中间价) × 数量'],
  ['fees', '手续费', '−Σ 手续费'],
  ['funding', '资金费', '实收资金费 − 回测资金费（按成交名义）'],
  ['missed', '未成交', '回测按成交名义 − 回测按目标名义：没有成交的部分与数量取整'],
  ['rest', '其余', '滑点前的实盘价格盈亏 − 回测价格盈亏（按成交名义）：成交时刻与 K 线收盘之差、再平衡、分批平仓'],
];

interface GapTilesProps {
  totals: Totals;
  hedges: number;
  /** UTC ms. */
  at: number;
}

/** The gap of all compared hedges and what it is made of, USDT and basis points of what was traded. */
export function GapTiles({ totals, hedges, at }: GapTilesProps) {
  const { traded, bps } = totals;
  const inBps = (value: number) => (bps === null ? null : (value / traded) * 1e4);
  const tiles = TILES.map(([key, label, formula]) => ({
    label,
    formula,
    window: `${hedges} 单`,
    figure: <Pnl value={totals[key]} unit="USDT" compact />,
    detail: <Pnl value={inBps(totals[key])} unit="bps" reason="没有成交额" />,
  }));
  const all = {
    label: '成交额',
    formula: 'Σ |数量| × 成交价，开仓与平仓',
    window: `${hedges} 单`,
    figure: <Amount value={traded} unit="USDT" compact />,
  };
  return <FigureTiles label="实盘与回测的差额" inputAt={formatDateTime(at, 'second')} tiles={[...tiles, all]} />;
}
