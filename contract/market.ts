import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { BARS } from './candle';
import { endpoint } from './endpoint';
import { listOf } from './list';
import { Instant, Maybe, OneOf, SourceName, SymbolName, Text } from './value';

export const MarketSource = Obj({
  source: Str(),
  label: Str({ description: '界面显示的名称：模拟行情、币安 · 实时，或 导入数据 · bybit' }),
  kind: OneOf(['simulated', 'live', 'imported'] as const),
  symbols: Integer(),
  bars: Arr(OneOf(BARS)),
  firstAt: Maybe(Instant('最早一根 K 线')),
  lastAt: Maybe(Instant('最新一根 K 线')),
});
export type MarketSource = Static<typeof MarketSource>;

export const SymbolRow = Obj({
  symbol: Str(),
  base: Str(),
  names: Arr(Str(), { description: '中文名及其全拼与拼音首字母，小写' }),
  exchange: Str(),
  sector: Maybe(Str()),
  bars: Arr(OneOf(BARS)),
  listedAt: Instant('上市时间'),
  lastAt: Instant('最新一根 K 线'),
});
export type SymbolRow = Static<typeof SymbolRow>;

export const TickerRow = Obj({
  symbol: Str(),
  at: Instant('价格时间'),
  price: Num({ description: 'USDT' }),
  change24h: Maybe(Num({ description: '分数' })),
  turnover24h: Maybe(Num({ description: 'USDT' })),
  openInterest: Maybe(Num({ description: 'USDT' })),
  fundingRate: Maybe(Num({ description: '每个结算间隔的分数' })),
  nextFundingAt: Maybe(Instant('下次结算')),
});
export type TickerRow = Static<typeof TickerRow>;

export const market = {
  source: endpoint({
    method: 'GET',
    path: '/api/market/source',
    right: 'open',
    tag: '行情',
    summary: '数据源：模拟行情、实时跟踪的交易所与导入的数据',
    data: listOf(MarketSource),
  }),
  symbol: endpoint({
    method: 'GET',
    path: '/api/market/symbol',
    right: 'signedIn',
    tag: '行情',
    summary: '一个数据源的全部币种，可搜索',
    query: Obj({
      source: SourceName,
      search: Optional(Text({ title: '搜索', maxLength: 64, description: '首尾空白不计' })),
    }),
    data: listOf(SymbolRow),
  }),
  ticker: endpoint({
    method: 'GET',
    path: '/api/market/ticker',
    right: 'open',
    tag: '行情',
    summary: '最新价格；访客得到至少 15 分钟前的价格，且最多 20 个币种',
    query: Obj({ source: SourceName, symbol: Optional(SymbolName()) }),
    data: Obj({ list: Arr(TickerRow), total: Integer(), at: Instant(), delayed: Bool() }),
  }),
};
