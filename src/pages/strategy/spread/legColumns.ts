import type { SpreadCandidate } from '#contract/kinds/spread/scan';
import type { Column } from '@/table/column';
import { moneyColumn, numberColumn, percentColumn, priceColumn, timeColumn, wordColumn } from '@/table/columns';
import { LIVE, NO_EXPIRY, NO_PRICE } from './spreadLabels';

type Row = SpreadCandidate;

/** What the two legs are, and how they are quoted. */
export const LEG_COLUMNS: Column<Row>[] = [
  wordColumn<Row>('near', '近腿', 160, ({ near }) => near),
  wordColumn<Row>('far', '远腿', 180, ({ far }) => far),
  timeColumn<Row>('expiresAt', '到期日', { reason: NO_EXPIRY, sort: 'ascend' }),
  priceColumn<Row>('nearBid', '近 买'),
  priceColumn<Row>('nearAsk', '近 卖'),
  priceColumn<Row>('farBid', '远 买'),
  priceColumn<Row>('farAsk', '远 卖'),
  priceColumn<Row>('basis', '基差', {
    csvTitle: '基差 (USDT)',
    explain: { text: '远腿中间价 − 近腿中间价，USDT', inputAt: LIVE },
  }),
];

/** How much can be traded, and what the net is made of. */
export const MORE_COLUMNS: Column<Row>[] = [
  moneyColumn<Row>('depth', '5% 深度', {
    explain: { text: '开仓所用两侧盘口中较薄的一侧，最优价 5 % 以内', inputAt: LIVE },
  }),
  moneyColumn<Row>('turnover24h', '24h 成交额', { explain: { text: '成交较少的一腿' }, width: 116 }),
  percentColumn<Row>('fundingApr', '资金费年化', {
    signed: true,
    width: 112,
    reason: '没有永续腿',
    explain: { formula: 'F1：永续预测费率 × 8760 / 间隔小时', text: '正数为这个方向收；未计入净年化', inputAt: LIVE },
  }),
  percentColumn<Row>('net', '净收益', {
    digits: 3,
    signed: true,
    spare: true,
    reason: NO_PRICE,
    explain: { text: '净年化的分子：到期或计划天数之后的净收益，未年化' },
  }),
  percentColumn<Row>('expectedLevel', '预期平仓', {
    digits: 3,
    signed: true,
    spare: true,
    reason: NO_PRICE,
    width: 104,
  }),
  percentColumn<Row>('fees', '四笔手续费', { digits: 3, spare: true, width: 112 }),
  percentColumn<Row>('borrowApr', '借币年利', {
    spare: true,
    reason: '不先卖现货，不借币',
    explain: { text: '先卖现货所需，已从净年化扣除' },
  }),
  priceColumn<Row>('spread', '可成交价差', {
    spare: true,
    width: 112,
    csvTitle: '可成交价差 (USDT)',
    explain: { formula: 'F6：卖远买近为远买 − 近卖；买远卖近为近买 − 远卖', text: '按最优价，USDT', inputAt: LIVE },
  }),
  percentColumn<Row>('spreadShare', '可成交价差率', {
    digits: 3,
    signed: true,
    spare: true,
    width: 120,
    explain: { text: 'F6 占近腿中间价' },
  }),
  numberColumn<Row>('quantity', '数量', {
    digits: 4,
    spare: true,
    width: 120,
    explain: { text: '两腿同量，按共同步长向下取整' },
  }),
];
