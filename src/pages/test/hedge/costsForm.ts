import { Object as Obj } from 'typebox';
import { BacktestQuery } from '#contract/backtest';
import { schemaForm } from '@/form/schemaForm';

const { capital, leverage, rebalance, fee, slippage, funding } = BacktestQuery.properties;
const { entryZ, exitZ, zWindow, stopLoss, takeProfit, maxHoldingHours } = BacktestQuery.properties;

const BPS = 1e4;
const PERCENT = 100;

/** Money, leverage and costs of a run, each with its unit; rates are asked for in basis points. */
export const costsForm = schemaForm(
  Obj({
    ...{ capital, leverage, rebalance, fee, slippage, funding },
    ...{ entryZ, exitZ, zWindow, stopLoss, takeProfit, maxHoldingHours },
  }),
  {
    groups: [
      { title: '资金与费用', fields: ['capital', 'leverage', 'rebalance', 'fee', 'slippage', 'funding'] },
      { title: '入场与出场', fields: ['entryZ', 'exitZ', 'zWindow', 'stopLoss', 'takeProfit', 'maxHoldingHours'] },
    ],
    fields: {
      capital: { unit: 'USDT', step: 1000, help: '回测开始时的权益' },
      leverage: { unit: '倍', step: 0.5, help: '总敞口 / 权益；每边持有 权益 × 杠杆 / 2' },
      rebalance: { unit: '根', help: '每隔多少根 K 线把两边恢复到目标敞口；0 为从不' },
      fee: { unit: 'bps', scale: BPS, help: '每笔成交额的万分之几；5 bps = 0.05%' },
      slippage: { unit: 'bps', scale: BPS, help: '每笔成交额的万分之几；2 bps = 0.02%' },
      funding: {},
      entryZ: { step: 0.1, help: '收盘的 z（F14）不高于 −入场 z 时两边同时入场；0 为一直持有，以下各项不用' },
      exitZ: { step: 0.1, help: '收盘的 z 回到 −出场 z 以上时出场' },
      zWindow: { unit: '根', help: '每个收盘往回看这么多根 K 线算对冲比与 z' },
      stopLoss: { unit: '%', scale: PERCENT, step: 0.5, help: '净亏损占开仓总名义，按各收盘；0 为不止损' },
      takeProfit: { unit: '%', scale: PERCENT, step: 0.5, help: '净盈利占开仓总名义，按各收盘；0 为不止盈' },
      maxHoldingHours: { unit: '小时', help: '到时平仓；0 为不限' },
    },
  },
);
