import { isLiveSource, type VenueSource } from '#contract/candle';
import { DEFAULT_OKX, type OkxParams } from '#contract/kinds/okx/params';
import { ARBITRAGE_FILTERS, ArbitrageCandidate, arbitrageScan } from '#contract/kinds/okx/scan';
import { Pnl } from '@/components/Pnl';
import { atHome } from '@/form/atHome';
import { coinColumn } from '@/scan/coinColumn';
import { ScanPage, scanAhead, scanOf } from '@/scan/ScanPage';
import { scanColumns } from '@/scan/scanColumns';
import { venueInRow, venueLabel } from '@/scan/venueLabel';
import type { DealView } from '@/strategy/dealColumns';
import type { OwnColumn } from '@/table/schemaColumns';
import { form } from './form';
import { GapPast } from './GapPast';
import { OkxDetail } from './OkxDetail';
import { shutSteps, TransferTags } from './TransferTags';

/** What is shown of trades, of purchases for the inventory, which is no deal's, and of its hedges, which alone are held. */
const OKX_DEALS: DealView = {
  columns: [],
  signal: { text: '决定成交时按规模的净价差 F25', inBps: true },
  totals: '合计（不含库存盈亏）',
  unruled: '对冲库存：库存卖出后自动平掉',
  without: ['imbalance', 'apr'],
};

const NO_PAST = '实时行情不保存过去的盘口，没有可以重放的价差';
const UNKNOWN_PAST = '没有当时的报价';

/** What would have been made; of exchanges that are followed nobody can know. */
const replayed = (key: 'replay7' | 'replay30'): OwnColumn<ArbitrageCandidate> => ({
  key,
  render: (row) => <Pnl percent value={row[key]} reason={isLiveSource(row.buy) ? NO_PAST : UNKNOWN_PAST} />,
});

const ARBITRAGE = scanOf({
  name: 'arbitrage',
  endpoint: arbitrageScan.list,
  filters: ARBITRAGE_FILTERS,
  assumed: {},
  sources: ({ buy, sell }) => [buy, sell],
  columns: (plan) =>
    scanColumns(ArbitrageCandidate, {
      coin: coinColumn(({ buy, perpetual }) => ({ source: buy, perpetual })),
      deciding: ['buy', 'sell', 'netBps', 'replay7', 'replay30', 'profit', 'feesBps', 'fillable'],
      own: [
        { key: 'buy', width: 84, render: ({ buy }) => venueInRow(buy) },
        { key: 'sell', width: 84, render: ({ sell }) => venueInRow(sell) },
        { key: 'fillable', width: 108 },
        { key: 'obstacles', width: 140 },
        replayed('replay7'),
        replayed('replay30'),
        {
          key: 'coinOut',
          title: '充提',
          width: 112,
          explain: { text: '做完一笔后移回库存：币从买入所提到卖出所，USDT 从卖出所提到买入所' },
          render: (row) => <TransferTags row={row} />,
          csv: (row) => shutSteps(row)?.join(' ') ?? null,
        },
      ],
      plan,
    }),
  card: {
    beside: [],
    figures: ['buy', 'sell', 'netBps', 'replay7', 'replay30', 'profit', 'fillable', 'coinOut', 'ageMs'],
  },
  past: ({ base, buy, sell }) => <GapPast base={base} buy={buy as VenueSource} sell={sell as VenueSource} />,
  draftOf: ({ base, buy, sell }, { size }) => ({
    name: `${base} ${venueLabel(buy)}-${venueLabel(sell)}`,
    params: {
      ...DEFAULT_OKX,
      ...{ one: buy as OkxParams['one'], other: sell as OkxParams['other'], coins: [base] },
      ...{ legNotional: size, stockNotional: Math.max(2 * size, DEFAULT_OKX.stockNotional ?? 0) },
    },
  }),
  nothing: ['没有可比的币种', '要有两个交易所都有它的现货'],
  own: {
    ...{ kind: 'okx', form, fresh: atHome(DEFAULT_OKX), deals: OKX_DEALS },
    detail: (strategy, done) => <OkxDetail key={strategy.id} {...{ strategy, done }} />,
  },
});

/** 交易所套利: what a coin bought at one venue and sold at another would make, for every two venues that list it. */
export default function ArbitragePage() {
  return <ScanPage scan={ARBITRAGE} />;
}

ArbitragePage.ahead = scanAhead(ARBITRAGE);
