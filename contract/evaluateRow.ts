import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  type Static,
  String as Str,
} from 'typebox';
import {
  Always,
  Change,
  Count,
  type FieldNote,
  Figure,
  MaybeWord,
  Moment,
  Money,
  Percent,
  Price,
  shown,
  Word,
} from './field';
import { DIRECTIONS } from './lifecycle';
import { Instant, Maybe, OneOf } from './value';

export const FACTORS = ['ret7', 'ret30', 'vol30', 'fundingApr'] as const;
export type Factor = (typeof FACTORS)[number];

export const FactorScore = Obj({
  factor: OneOf(FACTORS),
  value: Maybe(Num()),
  z: Maybe(Num({ description: '横截面 z 分数，截断到 ±3' })),
  weight: Num(),
  contribution: Num({ description: '权重 × z；缺失时为 0' }),
  percentile: Maybe(Num({ description: '在全部币种中的分位，0-1' })),
  missing: Bool(),
});
export type FactorScore = Static<typeof FactorScore>;

/** The figures of a ranking stand by the closes of its newest day. */
const daily = (title: string, formula: string, window: string, more: FieldNote = {}): [string, FieldNote] => [
  title,
  { formula, window, inputAt: '最新一日的 UTC 日线收盘', ...more },
];
const LIVE = '最新行情，每 5 秒刷新；导入数据为最后收盘';
const ON_READING = '本页读取时的行情';
const NO_FUNDING = '该数据源没有资金费';

export const EvaluateRow = Obj({
  base: Str(),
  exchange: Str(),
  sector: Maybe(Str()),
  listedAt: Instant('上市时间'),
  rankChange: Maybe(Integer({ description: '较前一日名次的变化，正数为上升' })),
  factors: Arr(FactorScore),
  priceAt: Instant('价格时间'),
  fundingHours: Maybe(Num({ description: '结算间隔，小时' })),
  nextFundingAt: Maybe(Instant('下次结算')),
  rank: Always(
    Figure('排名', {
      ...{ first: 'ascend', text: '按综合分降序，同分按币种名。小字为较前一日的名次变化。' },
      inputAt: '最新一日的 UTC 日线收盘',
    }),
  ),
  symbol: Word('币种'),
  price: Always(Price('价格', { text: 'USDT，五位有效数字', inputAt: LIVE })),
  change24h: Change('24h', { formula: '现价 / 24 小时前价格 − 1', window: '24 小时', inputAt: LIVE }),
  ret7: Change(...daily('7 日', '收盘 / 7 日前收盘 − 1', '7 日')),
  ret30: Change(...daily('30 日', '收盘 / 30 日前收盘 − 1', '30 日')),
  score: Always(
    Figure(
      ...daily(
        '综合分',
        '0.35 z(7 日收益) + 0.35 z(30 日收益) − 0.15 z(30 日波动率) − 0.15 z(资金费 APR)，z 截断到 ±3',
        '横截面：全部参与排名的币种',
        { digits: 3 },
      ),
    ),
  ),
  suggestion: shown(OneOf(DIRECTIONS), '建议', {
    ...{ form: 'word', text: '综合分前五分之一建议做多，后五分之一建议做空，其余观望。' },
    inputAt: '最新一日的 UTC 日线收盘',
  }),
  direction: shown(Maybe(OneOf(DIRECTIONS)), '方向', { form: 'word', text: '编辑给出的方向，与建议相互独立。' }),
  note: Word('评价', { first: null }),
  excess30: Change(...daily('相对 BTC', '(1 + 30 日收益) / (1 + BTC 30 日收益) − 1', '30 日')),
  beta30: Figure(...daily('Beta', 'cov(r, rBTC) / var(rBTC)，日对数收益', '30 日')),
  vol30: Percent(...daily('波动率', '日对数收益标准差 × √365，年化', '30 日')),
  turnover24h: Money('24h 成交额', { text: 'USDT', window: '24 小时', inputAt: LIVE }),
  fundingRate: Percent('资金费', { digits: 4, text: '当前结算间隔的费率；正数为多头付给空头', inputAt: LIVE }),
  fundingApr: Percent('资金费 APR', {
    ...{ formula: '费率 × 8760 / 结算间隔（小时）', window: '当前结算间隔', inputAt: ON_READING, missing: NO_FUNDING },
  }),
  openInterest: Money('持仓量', { text: '未平仓合约的名义价值，USDT', inputAt: LIVE }),
  openInterestChange24h: Change('持仓 24h', {
    ...{ spare: true, missing: '该数据源没有持仓量', text: '持仓量较 24 小时前的变化', window: '24 小时' },
    inputAt: ON_READING,
  }),
  longShortRatio: Figure('多空比', {
    ...{ spare: true, missing: '该数据源没有多空比', text: '多头账户数 / 空头账户数', inputAt: ON_READING },
  }),
  corr30: Figure(...daily('相关 BTC', '与 BTC 日对数收益的 Pearson 相关', '30 日', { spare: true })),
  momentumScore: Always(
    Figure(...daily('动量分', '0.35 z(7 日收益) + 0.35 z(30 日收益)', '横截面', { spare: true, digits: 3 })),
  ),
  liquidityScore: Percent(...daily('流动性分', '最新一日成交额在全部币种中的分位', '1 日', { spare: true, digits: 0 })),
  listedDays: Count('上市天数', '天', { spare: true, text: '自第一根日线起的天数' }),
  noteBy: MaybeWord('评价人'),
  updatedAt: Moment('更新时间', { spare: true, missing: '从未评价' }),
});
export type EvaluateRow = Static<typeof EvaluateRow>;
