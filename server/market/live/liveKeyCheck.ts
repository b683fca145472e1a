import { LIVE_EXCHANGES, type LiveExchange, liveSource } from '#contract/candle';
import type { Clock } from '../exchange';
import { type KeyCheck, type KeyCredentials, type KeySilence, NOTHING_SAID } from '../keyCheck';
import { type Ask, binanceHoldings, checkBinanceKey } from './binanceKey';
import type { Client } from './exchangeClass';
import type { LiveMarket } from './liveMarket';
import { ownClient } from './ownClient';

interface LiveKeyOptions {
  clock: Clock;
  /** Those that are followed: no other is asked anything, and what they let an address ask is shared with them. */
  markets: readonly LiveMarket[];
  urls?: Readonly<Partial<Record<LiveExchange, string>>>;
}

const BUSY: KeySilence = { outcome: 'unanswered', reason: '本服务这一分钟的请求已用过半，留给行情；请一分钟后再试' };

/** Asks the exchanges themselves. */
export function liveKeyCheck({ clock, markets, urls }: LiveKeyOptions): KeyCheck {
  async function asking<T>(
    credentials: KeyCredentials,
    question: (client: Client<'binance'>, ask: Ask) => Promise<T>,
  ): Promise<T | KeySilence> {
    const { exchange } = credentials;
    const rest = markets.find(({ source }) => source === liveSource(exchange))?.feed.rest;
    if (rest === undefined) {
      const reason = `没有跟随${LIVE_EXCHANGES[exchange]}，不能询问它的密钥：请在 EXCHANGES 里加上 ${exchange}`;
      return { outcome: 'unavailable', reason };
    }
    if (exchange !== 'binance') return { outcome: 'unavailable', reason: '目前只能询问币安的密钥' };
    if (rest.isBusy) return BUSY;
    const client = await ownClient(credentials, { clock, url: urls?.[exchange] });
    rest.listen(client as never);
    return question(client, (asked) => rest.ask(client as never, asked));
  }

  return {
    simulated: false,
    outboundIp: null,
    examples: [],
    check: async (credentials) => ({ ...NOTHING_SAID, ...(await asking(credentials, checkBinanceKey)) }),
    holdings: (credentials) => asking(credentials, binanceHoldings),
  };
}
