import { Object as Obj } from 'typebox';
import { BacktestQuery } from '#contract/backtest';
import { schemaForm } from '@/form/schemaForm';

const { capital, leverage, rebalance, fee, slippage, funding } = BacktestQuery.properties;

const BPS = 1e4;

/** Money, leverage and costs of a run, each with its unit; rates are asked for in basis points. */
export const costsForm = schemaForm(Obj({ capital, leverage, rebalance, fee, slippage, funding }), {
  groups: [{ title: '资金与费用', fields: ['capital', 'leverage', 'rebalance', 'fee', 'slippage', 'funding'] }],
  fields: {
    capital: { unit: 'USDT', step: 1000, help: '回测开始时的权益' },
    leverage: { unit: '倍', step: 0.5, help: '总敞口 / 权益；每边持有 权益 × 杠杆 / 2' },
    rebalance: { unit: '根', help: '每隔多少根 K 线把两边恢复到目标敞口；0 为从不' },
    fee: { unit: 'bps', scale: BPS, help: '每笔成交额的万分之几；5 bps = 0.05%' },
    slippage: { unit: 'bps', scale: BPS, help: '每笔成交额的万分之几；2 bps = 0.02%' },
    funding: {},
  },
});
