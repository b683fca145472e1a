import Big from 'big.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { plain } from '../../../base/maths/decimal';
import type { KeyHoldings, KeySilence } from '../../keyCheck';
import type { VenueFill } from '../../venue';
import { gateHoldings, SETTLED } from '../gateKey';
import { placeOf, symbolOf } from '../gateNames';
import { isSpot, kindOfName } from '../listing';
import type { Raw } from '../ownClient';
import { contractSize, decimal, digits } from './figures';
import { OURS } from './gateOrders';
import { allRows, secondOf } from './gateRows';
import type { Income, Origin, OwnTrade, RealLine, RealRecords, TradesFrom } from './realExchange';
import { Unanswered } from './unanswered';

const CASH = 'USDT';
/** The exchange's time is reckoned from what it was so long ago. */
const TIME_KEPT_MS = 10 * SECOND_MS;

/** What a row of the book of perpetuals is of; of points of Gate's own nothing is money. */
const MEANS: Readonly<Record<string, Income['means']>> = {
  ...{ pnl: 'trade', fee: 'trade', fund: 'funding', dnw: 'transfer', refr: 'result', bonus_offset: 'result' },
  ...{ point_fee: 'trade', point_dnw: 'transfer', point_refr: 'result' },
};
/** Fees are paid in one of these, in points of which each pays for one USDT, or in what was traded. */
const [POINT, GT] = ['POINT', 'GT'];

/** What Gate calls orders with which it closes a position by itself. */
const FORCED: readonly (readonly [RegExp, NonNullable<VenueFill['forced']>])[] = [
  [/^auto_deleveraging/, 'adl'],
  [/^(liquidation|(hedge-)?liq-|pm_liquidate|comb_margin_liquidate|scm_liquidate|insurance)/, 'liquidation'],
];

/** Of two books of own wallets one row is found in the other by how much it was, and when. */
const SAME_WITHIN_S = 2;
const transferName = (amount: Big, second: number): string => `${plain(amount)}@${second}`;

const msOf = (seconds: unknown): number => {
  const at = Math.round(Number(seconds) * SECOND_MS);
  if (!(at > 0)) throw new Unanswered('a time');
  return at;
};

/** What Gate keeps of one account: the truth, by its times. */
export class GateRecords implements RealRecords {
  readonly #line: RealLine<'gate'>;

  constructor(line: RealLine<'gate'>) {
    this.#line = line;
  }

  time(): Promise<number> {
    return this.#line.now(TIME_KEPT_MS);
  }

  /** They are read on by time. */
  numberOf(): null {
    return null;
  }

  async trades(symbol: string, { from }: TradesFrom, until: number): Promise<OwnTrade[]> {
    const { client } = this.#line;
    const place = placeOf(symbol);
    const rows = isSpot(symbol)
      ? await allRows(this.#line, 'own trades', 'id', { from, until }, ({ offset, ...page }) =>
          client.privateSpotGetMyTrades({ ...place, ...page }),
        )
      : await allRows(this.#line, 'own trades', 'trade_id', { from, until }, ({ page, ...rest }) =>
          client.privateFuturesGetSettleMyTradesTimerange({ ...place, ...rest }),
        );
    return rows.map((row) => this.#tradeOf(symbol, row)).sort((a, b) => a.at - b.at);
  }

  async income(from: number, until: number): Promise<Income[]> {
    const rows = await allRows(this.#line, 'the book', 'id', { from, until }, ({ page, ...rest }) =>
      this.#line.client.privateFuturesGetSettleAccountBook({ ...SETTLED, ...rest }),
    );
    return rows
      .map(incomeOf)
      .filter(({ at }) => at >= from)
      .sort((a, b) => a.at - b.at);
  }

  async holdings(): Promise<KeyHoldings> {
    const { client, contractSizeOf } = this.#line;
    const held = await this.#line.asked<KeyHoldings | KeySilence>('what is held', () =>
      gateHoldings(client, (question) => question(), contractSizeOf),
    );
    if (held.outcome !== 'accepted') throw new Unanswered('what is held');
    return held;
  }

  async originOf(symbol: string, order: string): Promise<Origin> {
    const { client } = this.#line;
    const request = { ...placeOf(symbol), order_id: order };
    const { text } = await this.#line.asked('an order', () =>
      isSpot(symbol)
        ? client.privateSpotGetOrdersOrderId(request)
        : client.privateFuturesGetSettleOrdersOrderId(request),
    );
    if (typeof text !== 'string') throw new Unanswered('an order');
    return originOf(text);
  }

  async settlement(symbol: string, until: number) {
    if (kindOfName(symbol) !== 'perpetual') return undefined;
    const request = { ...placeOf(symbol), from: secondOf(until - 9 * HOUR_MS), to: secondOf(until), limit: 1 };
    const [row] = await this.#line.asked<Raw[]>('settlements', () =>
      this.#line.client.publicFuturesGetSettleFundingRate(request),
    );
    // At which mark it settled is not told.
    return row && { at: msOf(row.t), rate: decimal(row.r), mark: null };
  }

  async priceThen(asset: string, at: number): Promise<string> {
    if (asset === POINT) return '1';
    const span = { from: secondOf(at - 10 * MINUTE_MS), to: secondOf(at) };
    const request = { currency_pair: `${asset}_${CASH}`, interval: '1m', ...span };
    const rows = await this.#line.asked<unknown[][]>('a price', () =>
      this.#line.client.publicSpotGetCandlesticks(request),
    );
    return decimal(rows.at(-1)?.[2]);
  }

  /** What the book of spot says went to perpetuals, or came from there. */
  async ownTransfers(from: number): Promise<Set<string>> {
    const span = { from, until: this.#line.client.nonce() };
    const rows = await allRows(this.#line, 'transfers', 'id', span, ({ offset, ...page }) =>
      this.#line.client.privateSpotGetAccountBook({ currency: CASH, ...page }),
    );
    const names = rows
      .filter(({ type }) => /^perp_/.test(String(type)))
      .flatMap(({ change, time }) => {
        const [amount, second] = [new Big(decimal(change)).neg(), secondOf(Number(time))];
        const near = Array.from({ length: 2 * SAME_WITHIN_S + 1 }, (_, i) => second + i - SAME_WITHIN_S);
        return near.map((one) => transferName(amount, one));
      });
    return new Set(names);
  }

  #tradeOf(symbol: string, row: Raw): OwnTrade {
    const size = contractSize(this.#line, symbol);
    const told = isSpot(symbol)
      ? {
          ...{ id: digits(row.id), side: row.side === 'buy' ? ('buy' as const) : ('sell' as const) },
          ...{ quantity: decimal(row.amount), feeAsset: String(row.fee_currency) },
          at: msOf(Number(row.create_time_ms) / SECOND_MS),
        }
      : {
          ...{ id: digits(row.trade_id), side: Number(row.size) > 0 ? ('buy' as const) : ('sell' as const) },
          ...{ quantity: plain(new Big(decimal(row.size)).abs().times(size)), feeAsset: CASH },
          at: msOf(row.create_time),
        };
    const [other] = [
      { feeAsset: POINT, fee: row.point_fee },
      { feeAsset: GT, fee: row.gt_fee },
    ].filter(({ fee }) => Number(fee ?? 0) !== 0);
    const text = String(row.text ?? '');
    return {
      ...{ symbol, order: digits(row.order_id), price: decimal(row.price), maker: row.role === 'maker' },
      ...{ ...told, fee: decimal(row.fee), ...(other && { ...other, fee: decimal(other.fee) }) },
      ...(text && { origin: originOf(text) }),
    };
  }
}

function originOf(text: string): Origin {
  const forced = FORCED.find(([form]) => form.test(text))?.[1];
  return { name: text.startsWith(OURS) ? text.slice(OURS.length) : text, ...(forced && { forced }) };
}

function incomeOf(row: Raw): Income {
  const type = String(row.type);
  const [amount, at] = [new Big(decimal(row.change)), msOf(row.time)];
  const means = MEANS[type] ?? 'result';
  const trade = means === 'trade' && Number(row.trade_id) > 0 ? digits(row.trade_id) : null;
  return {
    ...{ name: `book:${digits(row.id)}`, means, amount: plain(amount), trade, at },
    ...{ symbol: symbolOf(row.contract, 'futures') ?? '', asset: type.startsWith('point_') ? POINT : CASH },
    transfer: means === 'transfer' ? transferName(amount, secondOf(at)) : null,
  };
}
