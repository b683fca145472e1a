import { Object as Obj } from 'typebox';
import { BacktestQuery } from '#contract/backtest';
import { BASKET_SIZE } from '#contract/pair';
import { rulesOf } from '@/form/rulesOf';

const { fee, slippage } = BacktestQuery.properties;
const rules = rulesOf(BacktestQuery);

/** The form asks for costs in basis points: the schema's bounds, in that unit. */
const inBps = (field: typeof fee) => ({
  ...field,
  minimum: 0,
  maximum: ((field as { maximum?: number }).maximum ?? 1) * 1e4,
});
const bpsRules = rulesOf(Obj({ feeBps: inBps(fee), slippageBps: inBps(slippage) }));

/** antd counts an empty list as present unless it is told that the value is a list. */
const basketRules = (label: string) => [
  { required: true, type: 'array' as const, message: `请输入${label}` },
  { type: 'array' as const, max: BASKET_SIZE, message: `${label}最多 ${BASKET_SIZE} 个币种` },
];

/** Rules of the form's fields, from the contract's schema. */
export const fieldRules = { ...rules, ...bpsRules, long: basketRules('多头'), short: basketRules('空头') };
