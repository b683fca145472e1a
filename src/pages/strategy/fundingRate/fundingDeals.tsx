import type { DealRow } from '#contract/strategyRow';
import { Missing } from '@/components/Missing';
import type { DealView } from '@/strategy/dealColumns';
import { rebalanceActions } from '@/strategy/rebalanceActions';
import { percentColumn } from '@/table/columns';

/** What is shown of rounds, and what may be done with one. */
export const FUNDING_DEALS: DealView = {
  columns: [
    percentColumn<DealRow>('rateOpen', '触发费率', {
      digits: 4,
      signed: true,
      explain: { text: '决定开仓时每期的预测费率' },
    }),
    {
      key: 'settled',
      title: '已持有 / 最短期数',
      width: 132,
      figure: true,
      render: ({ settled, leastSettled }) =>
        leastSettled === null ? <Missing reason="没有记下" /> : `${settled ?? '-'} / ${leastSettled}`,
      csv: ({ settled }) => settled,
      explain: { text: '持有以来的结算次数 / F8 回本的结算次数' },
    },
    percentColumn<DealRow>('longFilled', '现货成交率', {
      digits: 1,
      width: 104,
      reason: '还没有成交',
      explain: { formula: '买入现货的成交额 / 每腿名义' },
    }),
    percentColumn<DealRow>('shortFilled', '合约成交率', {
      digits: 1,
      width: 104,
      reason: '还没有成交',
      explain: { formula: '卖出合约的最大持有 / 收到现货的最大持有' },
    }),
  ],
  actions: rebalanceActions,
};
