import { LIVE_EXCHANGES, type LiveExchange } from '#contract/candle';
import type { Clock } from '../exchange';
import { type KeyCheck, NOTHING_SAID } from '../keyCheck';
import { checkBinanceKey } from './binanceKey';
import { ownClient } from './ownClient';

interface LiveKeyOptions {
  clock: Clock;
  /** Those that are followed: no other is asked anything. */
  exchanges: readonly LiveExchange[];
  urls?: Readonly<Partial<Record<LiveExchange, string>>>;
}

const unavailable = (reason: string) => ({ ...NOTHING_SAID, outcome: 'unavailable' as const, reason });

/** Asks the exchanges themselves. */
export function liveKeyCheck({ clock, exchanges, urls }: LiveKeyOptions): KeyCheck {
  return {
    simulated: false,
    outboundIp: null,
    examples: [],
    async check(credentials) {
      const { exchange } = credentials;
      if (!exchanges.includes(exchange))
        return unavailable(`没有跟随${LIVE_EXCHANGES[exchange]}，不能测试它的密钥：请在 EXCHANGES 里加上 ${exchange}`);
      if (exchange !== 'binance') return unavailable('目前只能测试币安的密钥');
      return checkBinanceKey(await ownClient(credentials, { clock, url: urls?.[exchange] }));
    },
  };
}
