import type { HedgeTotals } from '#contract/kinds/hedge/desk';
import { Amount } from '@/components/Amount';
import { Duration } from '@/components/Duration';
import { LiveTag } from '@/components/LiveTag';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { sampleReason } from '@/components/sampleReason';
import { type Total, TotalsStrip } from '@/table/TotalsStrip';

const NONE_ENDED = '筛选中没有已平仓的对冲单';
const fewClosed = ({ closed, fewest }: HedgeTotals, otherwise = NONE_ENDED) =>
  sampleReason({ size: closed, fewest, unit: '单' }, otherwise);
const NONE_OPENED = '筛选中没有建仓的对冲单';
const NO_MARK = '有持有中的对冲单没有标记价';

const TOTALS: Total<HedgeTotals>[] = [
  {
    label: '对冲单',
    text: '筛选中的张数',
    figure: ({ hedges, mode }) => (
      <>
        <Amount value={hedges} digits={0} /> <LiveTag mode={mode} />
      </>
    ),
  },
  {
    label: '净盈亏',
    text: '筛选中全部对冲单之和，不只本页',
    figure: ({ net }) => <Pnl value={net} unit="USDT" reason={NO_MARK} />,
  },
  {
    label: '收益率（按名义）',
    text: '净盈亏之和 / 开仓名义之和，与止损、止盈同一基准',
    figure: ({ netReturn }) => <Pnl percent value={netReturn} reason={NONE_OPENED} />,
  },
  {
    label: '收益率（按保证金）',
    text: '净盈亏之和 / 保证金之和',
    figure: ({ marginReturn }) => <Pnl percent value={marginReturn} reason={NONE_OPENED} />,
  },
  { label: '资金费', text: '收到为正', figure: ({ funding }) => <Pnl value={funding} unit="USDT" /> },
  { label: '手续费', text: '付出为正', figure: ({ fees }) => <Amount value={fees} unit="USDT" /> },
  {
    label: '胜率',
    text: '已平仓中净盈亏 > 0 的比例',
    figure: (totals) =>
      totals.closed === 0 ? null : <Percent value={totals.winRate} digits={1} reason={fewClosed(totals)} />,
  },
  {
    label: '利润因子',
    text: '已平仓的盈利之和 / |亏损之和|',
    figure: (totals) => <Amount value={totals.profitFactor} reason={fewClosed(totals, '没有亏损的对冲单')} />,
  },
  {
    label: '期望',
    text: '胜率 × 平均盈利 − (1 − 胜率) × |平均亏损|，每单',
    figure: (totals) => <Pnl value={totals.expectancy} unit="USDT" reason={fewClosed(totals)} />,
  },
  {
    label: '平均持有',
    text: '已平仓的平均持有时间',
    figure: ({ averageHours }) => <Duration hours={averageHours} reason={NONE_ENDED} />,
  },
  {
    label: '单腿敞口×时间',
    text: '只有一边有持仓时的敞口 × 时间',
    figure: ({ naked }) => <Amount value={naked} digits={0} compact unit="USDT·s" />,
  },
];

/** The figures of all that has ended and that the filter lets through. */
export default function EndedTotals({ totals }: { totals: HedgeTotals }) {
  return <TotalsStrip label="统计" totals={totals} figures={TOTALS} side="below" />;
}
