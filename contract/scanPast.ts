import { Array as Arr, Integer, Number as Num, Object as Obj, Optional, String as Str } from 'typebox';
import { BARS, VENUES } from './candle';
import { endpoint } from './endpoint';
import { Instant, Maybe, OneOf, SourceName, SymbolName, Text } from './value';

/** Days that are told of at most. */
export const PAST_DAYS = 90;

/** How far apart the samples of a gap between venues lie, and over how many days its hours are looked at. */
export const ARBITRAGE_STEP_MINUTES = 5;
export const ARBITRAGE_DAYS = 7;

const Coin = Text({ title: '币种', minLength: 1, maxLength: 32 });
const Venue = OneOf(VENUES, { title: '交易所' });
const Fractions = (description: string) => Arr(Num({ description: `${description}，分数` }));

/** What lies behind a row of a scanner. */
export const scanPast = {
  rates: endpoint({
    method: 'GET',
    path: '/api/market/past/rates',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
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
    expensive: true,
    summary: '两个标的的基差的四小时 K 线，至多 90 天；高低取自共同的更细收盘',
    query: Obj({ source: SourceName, near: SymbolName('近腿'), far: SymbolName('远腿') }),
    data: Obj({
      time: Arr(Instant('收盘')),
      basis: Fractions('远 / 近 − 1，收盘时'),
      open: Fractions('开盘时的基差'),
      high: Fractions('最高：两腿的最高价不在同一时刻，取更细收盘的基差'),
      low: Fractions('最低，同上'),
      finest: OneOf(BARS, { description: '开高低取自它的收盘' }),
      annualised: Arr(Maybe(Num({ description: 'F4，分数；没有到期日或不足 3 天的为空' }))),
      near: Arr(Num({ description: '近腿收盘，USDT' })),
      far: Arr(Num({ description: '远腿收盘，USDT' })),
      mean: Maybe(Num({ description: '均值' })),
      sd: Maybe(Num({ description: '标准差（ddof 1）' })),
    }),
  }),
  arbitrage: endpoint({
    method: 'GET',
    path: '/api/market/past/arbitrage',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: `一个币在两所之间最近 24 小时的净价差 F25，按最优价，每 ${ARBITRAGE_STEP_MINUTES} 分钟一次`,
    query: Obj({ base: Coin, buy: Venue, sell: Venue }),
    data: Obj({
      time: Arr(Instant()),
      netBps: Arr(Maybe(Num({ description: 'bps；没有报价为空' }))),
      above: Integer({ description: '净价差由负转正的次数' }),
      share: Maybe(Num({ description: '净价差为正的抽样占比，分数' })),
    }),
  }),
  arbitrageHours: endpoint({
    method: 'GET',
    path: '/api/market/past/arbitrage/hours',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: `一个币最近 ${ARBITRAGE_DAYS} 天每小时（UTC）、每两个交易所较好方向的净价差 F25，按最优价抽样`,
    query: Obj({ base: Coin }),
    data: Obj({
      pairs: Arr(Obj({ one: Str(), other: Str() })),
      hours: Arr(
        Obj({
          hour: Integer({ description: 'UTC，0-23' }),
          netBps: Arr(Maybe(Num({ description: '均值，bps' })), { description: '依 pairs 的次序' }),
        }),
      ),
      samples: Integer({ description: '每格的抽样次数' }),
    }),
  }),
};
