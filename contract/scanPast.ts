import { Array as Arr, Integer, Number as Num, Object as Obj, Optional } from 'typebox';
import { endpoint } from './endpoint';
import { Instant, Maybe, SourceName, SymbolName } from './value';

/** Days that are told of at most. */
export const PAST_DAYS = 90;

const Fractions = (description: string) => Arr(Num({ description: `${description}，分数` }));

/** What lies behind a row of a scanner. */
export const scanPast = {
  rates: endpoint({
    method: 'GET',
    path: '/api/market/past/rates',
    right: 'isMaster',
    tag: '策略行情',
    summary: '持有一个或两个永续在每次结算时的年化与累计资金费，至多 90 天',
    query: Obj({
      long: Optional(SourceName),
      longSymbol: Optional(SymbolName('多头永续')),
      short: Optional(SourceName),
      shortSymbol: Optional(SymbolName('空头永续')),
      days: Integer({ title: '天数', minimum: 1, maximum: PAST_DAYS, default: PAST_DAYS }),
    }),
    data: Obj({
      time: Arr(Instant()),
      apr: Fractions('当时两腿最近一次结算的费率合成的年化（F1、F7），正为收入'),
      sum: Fractions('从头累计，占名义的'),
    }),
  }),
  basis: endpoint({
    method: 'GET',
    path: '/api/market/past/basis',
    right: 'isMaster',
    tag: '策略行情',
    summary: '两个标的在共同的四小时收盘的基差，至多 90 天',
    query: Obj({ source: SourceName, near: SymbolName('近腿'), far: SymbolName('远腿') }),
    data: Obj({
      time: Arr(Instant('收盘')),
      basis: Fractions('远 / 近 − 1'),
      annualised: Arr(Maybe(Num({ description: 'F4，分数；没有到期日或不足 3 天的为空' }))),
      near: Arr(Num({ description: '近腿收盘，USDT' })),
      far: Arr(Num({ description: '远腿收盘，USDT' })),
      mean: Maybe(Num({ description: '均值' })),
      sd: Maybe(Num({ description: '标准差（ddof 1）' })),
    }),
  }),
};
