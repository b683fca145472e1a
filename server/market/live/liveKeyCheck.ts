import { LIVE_EXCHANGES, type LiveExchange, liveSource, type OrderExchange } from '#contract/candle';
import type { Clock } from '../exchange';
import { type KeyCheck, type KeyCredentials, type KeySilence, NOTHING_SAID } from '../keyCheck';
import type { Client } from './exchangeClass';
import type { LiveMarket } from './liveMarket';
import type { Ask, ContractSizeOf, RealExchange } from './orders/realExchange';
import { REAL_EXCHANGES } from './orders/realExchanges';
import { ownClient } from './ownClient';

interface LiveKeyOptions {
  clock: Clock;
  /** Those that are followed: no other is asked anything, and what they let an address ask is shared with them. */
  markets: readonly LiveMarket[];
  urls?: Readonly<Partial<Record<LiveExchange, string>>>;
  /** Whether keys are of test networks. */
  isTestnet?: boolean;
}

const BUSY: KeySilence = { outcome: 'unanswered', reason: '本服务这一分钟的请求已用过半，留给行情；请一分钟后再试' };

/** Who is asked, and how. */
interface Asked {
  exchange: RealExchange;
  client: Client<OrderExchange>;
  ask: Ask;
  contractSizeOf: ContractSizeOf;
}

/** Asks the exchanges themselves. */
export function liveKeyCheck({ clock, markets, urls, isTestnet = false }: LiveKeyOptions): KeyCheck {
  async function asking<T>(
    credentials: KeyCredentials,
    question: (asked: Asked) => Promise<T>,
  ): Promise<T | KeySilence> {
    const { exchange } = credentials;
    const market = markets.find(({ source }) => source === liveSource(exchange));
    if (market === undefined) {
      const reason = `没有跟随${LIVE_EXCHANGES[exchange]}，不能询问它的密钥：请在 EXCHANGES 里加上 ${exchange}`;
      return { outcome: 'unavailable', reason };
    }
    const real = REAL_EXCHANGES[exchange];
    const { rest: shared } = market.feed;
    if (shared.isBusy) return BUSY;
    const rest = real.countsByCustomer ? shared.apart() : shared;
    const client = await ownClient(exchange, credentials, { clock, url: urls?.[exchange], isTestnet });
    rest.listen(client as never);
    return question({
      ...{ exchange: real, client, ask: (asked) => rest.ask(client as never, asked) },
      contractSizeOf: (symbol) => market.contractSizeOf(symbol),
    });
  }

  return {
    simulated: false,
    isTestnet,
    outboundIp: null,
    examples: [],
    check: async (credentials) => ({
      ...NOTHING_SAID,
      ...(await asking(credentials, ({ exchange, client, ask }) => exchange.checkKey(client, ask))),
    }),
    holdings: (credentials) =>
      asking(credentials, ({ exchange, client, ask, contractSizeOf }) =>
        exchange.holdings(client, ask, contractSizeOf),
      ),
  };
}
