import type { ReactNode } from 'react';
import type { OkxDesk } from '#contract/kinds/okx/desk';
import { Amount } from '@/components/Amount';
import { Pnl } from '@/components/Pnl';
import { FigureList } from '@/strategy/FigureList';
import own from './okx.module.css';

const NOTHING = '还没有两边成交';
const LIVE = '最新记录，每 3 秒读取';

interface DeskTotalsProps {
  desk: OkxDesk;
  /** USDT a day; null where there is none. */
  limit: number | null;
}

type Figure = [label: string, formula: string, figure: (props: DeskTotalsProps) => ReactNode];

const NO_PRICE = '库存没有价格';

const FIGURES: Figure[] = [
  [
    '策略净盈亏',
    '成交净利 + 库存盈亏 + 对冲盈亏 + 其余；策略总览与我的策略是同一个数',
    ({ desk: { totals } }) => <Pnl value={totals.net} unit="USDT" reason={NO_PRICE} />,
  ],
  [
    '库存盈亏',
    'F31：库存按标记价的价值 − 买入所付 + 卖出所得',
    ({ desk: { totals } }) => <Pnl value={totals.stockPnl} unit="USDT" reason={NO_PRICE} />,
  ],
  [
    '库存价值',
    'F31：策略自己的币按标记价，计入敞口与名义；账户里别的币不算',
    ({ desk: { totals } }) => <Amount value={totals.stockValue} unit="USDT" reason={NO_PRICE} />,
  ],
  [
    '对冲盈亏',
    '对冲库存的永续：价格盈亏 + 资金费 − 手续费',
    ({ desk: { totals } }) => <Pnl value={totals.hedgePnl} unit="USDT" reason="永续没有价格" />,
  ],
  [
    '其余',
    '库存买卖的手续费，与没有两边成交的',
    ({ desk: { totals } }) => <Pnl value={totals.other} unit="USDT" reason={NO_PRICE} />,
  ],
  [
    '今日成交 / 上限',
    '自账户当日开始的套利买入金额',
    ({ desk: { tradedToday }, limit }) => (
      <>
        <Amount value={tradedToday} digits={0} unit="USDT" /> /{' '}
        <Amount value={limit} digits={0} unit="USDT" reason="没有设上限" />
      </>
    ),
  ],
  ['计划净利', 'Σ 决策时的净价差 F25 × 买入金额', ({ desk: { totals } }) => <Pnl value={totals.planned} unit="USDT" />],
  ['成交净利', '两边都成交的：Σ 已实现 − 手续费', ({ desk: { totals } }) => <Pnl value={totals.real} unit="USDT" />],
  [
    '划转手续费',
    '策略建立以来两所之间划转这些币与 USDT 的手续费',
    ({ desk: { totals } }) => <Amount value={totals.transferFees} unit="USDT" />,
  ],
  [
    '摊到每笔',
    '划转手续费 / 买入金额',
    ({ desk: { totals } }) => <Amount value={totals.transferBps} unit="bps" reason={NOTHING} />,
  ],
  [
    '每笔净利',
    '成交净利 / 买入金额',
    ({ desk: { totals } }) => <Pnl value={totals.netBps} unit="bps" reason={NOTHING} />,
  ],
  [
    '扣划转后',
    '(成交净利 − 划转手续费) / 买入金额',
    ({ desk: { totals } }) => <Pnl value={totals.afterBps} unit="bps" reason={NOTHING} />,
  ],
];

/** What the trades promised and made, less what moving the inventory back has cost. */
export function DeskTotals(props: DeskTotalsProps) {
  return (
    <div className={own.totals}>
      <FigureList
        label="套利合计"
        figures={FIGURES.map(([label, formula, figure]) => ({ label, formula, figure: figure(props) }))}
        inputAt={LIVE}
      />
    </div>
  );
}
