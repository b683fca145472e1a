import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import { coinColumn } from '@/scan/coinColumn';
import { obstaclesColumn } from '@/scan/obstaclesColumn';
import { planColumn } from '@/scan/planColumn';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, priceColumn, wordColumn } from '@/table/columns';
import { shutSteps, TransferTags } from './TransferTags';

const LIVE = '最新行情，每秒读取';
const UNFILLED = '盘口装不下这个规模';

const coin = coinColumn<ArbitrageCandidate>(({ buy, perpetual }) => ({ source: buy, perpetual }), { width: 112 });

const transfer: Column<ArbitrageCandidate> = {
  key: 'transfer',
  title: '充提',
  width: 112,
  explain: { text: '做完一笔后移回库存：币从买入所提到卖出所，USDT 从卖出所提到买入所' },
  render: (row) => <TransferTags row={row} />,
  csv: (row) => shutSteps(row)?.join(' ') ?? null,
};

const prices: Column<ArbitrageCandidate>[] = [
  wordColumn<ArbitrageCandidate>('buy', '买入所', 80, ({ buy }) => venueLabel(buy)),
  priceColumn<ArbitrageCandidate>('ask', '卖一', {
    reason: '没有报价',
    explain: { text: '买入所的卖一', inputAt: LIVE },
  }),
  wordColumn<ArbitrageCandidate>('sell', '卖出所', 80, ({ sell }) => venueLabel(sell)),
  priceColumn<ArbitrageCandidate>('bid', '买一', {
    reason: '没有报价',
    explain: { text: '卖出所的买一', inputAt: LIVE },
  }),
];

const results: Column<ArbitrageCandidate>[] = [
  gainColumn<ArbitrageCandidate>('netBps', '净价差 bps', {
    digits: 1,
    reason: UNFILLED,
    explain: {
      formula: 'F25：卖出均价 × (1 − 手续费) / (买入均价 × (1 + 手续费)) − 1',
      text: '两腿都按规模吃单；不含移回库存的费用，那在“移回 bps”',
      inputAt: LIVE,
    },
  }),
  gainColumn<ArbitrageCandidate>('profit', '净利 USDT', { reason: UNFILLED, explain: { text: '净价差乘以这个规模' } }),
  obstaclesColumn(),
  numberColumn<ArbitrageCandidate>('grossBps', '毛价差 bps', {
    digits: 1,
    signed: true,
    width: 108,
    reason: '没有报价',
    explain: { formula: '卖出所买一 / 买入所卖一 − 1', inputAt: LIVE },
  }),
  numberColumn<ArbitrageCandidate>('feesBps', '手续费 bps', {
    digits: 1,
    width: 108,
    sort: 'ascend',
    explain: { text: '两所现货吃单费率之和' },
  }),
  numberColumn<ArbitrageCandidate>('slippageBps', '滑点 bps', {
    digits: 1,
    width: 96,
    sort: 'ascend',
    reason: UNFILLED,
    explain: {
      formula: 'F9：|均价 / 中间价 − 1|，两腿之和',
      text: '从中间价算起，含半个买卖价差；毛价差已从卖一买一算起，所以不能与它直接相减',
    },
  }),
  moneyColumn<ArbitrageCandidate>('fillable', '可成交量', {
    digits: 0,
    explain: { text: '盘口上净价差仍不低于 0 的最大规模；最优价已亏则为 0', inputAt: LIVE },
  }),
  numberColumn<ArbitrageCandidate>('heldSeconds', '持续 s', {
    digits: 2,
    explain: {
      text: '最优价扣手续费后连续为正的时间，逐笔报价（0.25 秒）回看；首次看到时最多回看 60 秒，此后累计',
    },
  }),
];

const ways: Column<ArbitrageCandidate>[] = [
  transfer,
  numberColumn<ArbitrageCandidate>('transferBps', '移回 bps', {
    digits: 1,
    width: 96,
    sort: 'ascend',
    reason: UNFILLED,
    explain: { text: '移回币与 USDT 的两笔费用摊到这个规模，不含在净价差内' },
  }),
  numberColumn<ArbitrageCandidate>('transferMinutes', '移回 分钟', {
    digits: 0,
    width: 100,
    sort: 'ascend',
    explain: { text: '两笔同时，取较慢的一笔' },
  }),
  moneyColumn<ArbitrageCandidate>('buyerCash', '买方 USDT', {
    sort: undefined,
    width: 112,
    reason: '在买入所没有账户，或现在读不到',
    explain: { text: '自己在买入所的可用余额' },
  }),
  numberColumn<ArbitrageCandidate>('sellerCoin', '卖方库存', {
    sort: undefined,
    digits: 4,
    width: 112,
    reason: '在卖出所没有账户',
    explain: { text: '自己在卖出所的币，不含交易单持有的' },
  }),
  numberColumn<ArbitrageCandidate>('buyLatencyMs', '买入延迟 ms', {
    digits: 0,
    width: 112,
    sort: 'ascend',
    explain: { text: '现在发往买入所的委托在路上多久' },
  }),
  numberColumn<ArbitrageCandidate>('sellLatencyMs', '卖出延迟 ms', {
    digits: 0,
    width: 112,
    sort: 'ascend',
    explain: { text: '现在发往卖出所的委托在路上多久' },
  }),
  numberColumn<ArbitrageCandidate>('ageMs', '报价年龄 ms', {
    digits: 0,
    width: 112,
    sort: 'ascend',
    explain: { text: '服务器读取时，两侧报价中较旧的已过多久' },
  }),
  moneyColumn<ArbitrageCandidate>('transferFee', '移回费用', { spare: true, sort: 'ascend' }),
  numberColumn<ArbitrageCandidate>('quantity', '数量', {
    digits: 4,
    spare: true,
    width: 120,
    explain: { text: '两腿同量，按共同步长向下取整' },
  }),
];

/** @param plan makes a strategy of a row */
export const arbitrageColumns = (plan: (row: ArbitrageCandidate) => void): Column<ArbitrageCandidate>[] => [
  coin,
  ...prices,
  ...results,
  ...ways,
  planColumn(plan),
];
