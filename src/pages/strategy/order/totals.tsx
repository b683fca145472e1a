import type { FillTotals, OrderTotals } from '#contract/order';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import type { Total } from '@/table/TotalsStrip';

const NO_ORDERS = '筛选中没有委托';
const NO_FILLS = '筛选中没有成交';

export const TRADED: Total<OrderTotals | FillTotals>[] = [
  {
    label: '成交额',
    text: '筛选中全部成交之和，不只本页',
    figure: ({ notional }) => <Amount value={notional} unit="USDT" compact />,
  },
  { label: '手续费', text: '付出为正', figure: ({ fees }) => <Amount value={fees} unit="USDT" /> },
  {
    label: '平均滑点',
    text: '成交价相对决策时中间价的不利偏离，按成交额加权；付出为正',
    figure: ({ slippageBps }) => <Amount value={slippageBps} signed unit="bps" reason={NO_FILLS} />,
  },
  {
    label: '挂单占比',
    text: '挂单（maker）成交额 / 成交额',
    figure: ({ makerShare }) => <Percent value={makerShare} digits={1} reason={NO_FILLS} />,
  },
];

export const ORDER_TOTALS: Total<OrderTotals>[] = [
  { label: '委托', text: '筛选中的笔数，不只本页', figure: ({ orders }) => <Amount value={orders} digits={0} /> },
  {
    label: '成交率',
    text: '成交量 / 委托量，各按决策时中间价折成 USDT',
    figure: ({ fillRate }) => <Percent value={fillRate} digits={1} reason={NO_ORDERS} />,
  },
  ...TRADED,
  {
    label: '拒绝率',
    text: '被交易所拒绝的笔数 / 笔数',
    figure: ({ rejectRate }) => <Percent value={rejectRate} digits={1} reason={NO_ORDERS} />,
  },
];
