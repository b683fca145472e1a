import { type AllAccounts, FEW_DAYS, NO_VARIANCE, UNPRICED } from '#contract/account';
import { Amount } from '@/components/Amount';
import type { FigureTile } from '@/components/FigureTiles';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';

/** The chosen accounts as one. */
export function totalTiles({ total, list }: AllAccounts): FigureTile[] {
  const { equity, net, todayPnl, drawdown, maxDrawdown, sharpe, betaBtc, running } = total;
  const { length } = list;
  return [
    {
      label: '总权益',
      formula: 'Σ 账本现金 + Σ 持仓数量 × 标记价',
      figure: <Amount value={equity} unit="USDT" reason={UNPRICED} />,
      detail: `${length} 个用户`,
    },
    {
      label: '今日盈亏',
      formula: 'Σ 各账户自己当日的权益变化 − 划转',
      figure: <Pnl value={todayPnl} unit="USDT" reason={UNPRICED} />,
    },
    {
      label: '累计净盈亏',
      formula: 'Σ 权益 − 累计划转（F11）',
      figure: <Pnl value={net} unit="USDT" reason={UNPRICED} />,
    },
    {
      label: '夏普',
      formula: '日收益均值 / 标准差 × √365（F19），合并账户，整日（UTC）',
      figure: <Amount value={sharpe} digits={2} signed reason={FEW_DAYS} />,
    },
    {
      label: 'Beta（BTC）',
      formula: '日收益对 BTC 的协方差 / 方差（F17）；中性应接近 0',
      figure: <Amount value={betaBtc} digits={3} signed reason={NO_VARIANCE} />,
    },
    {
      label: '当前回撤',
      formula: '时间加权净值 / 历史最高日收盘（UTC）− 1（F20）',
      figure: <Percent value={drawdown} reason={UNPRICED} />,
      detail: (
        <>
          最大 <Percent value={maxDrawdown} reason={UNPRICED} />
        </>
      ),
    },
    {
      label: '进行中',
      formula: '没有结束的交易单与对冲单',
      figure: <Amount value={running} digits={0} unit="单" />,
    },
  ];
}
