import { textCodec, useQueryState } from '@/components/useQueryState';

/** The tab of what the market offers, which is open unless the address says otherwise. */
export const MARKET = 'market';
/** The tab of what the user has of its own. */
export const MINE = 'mine';

const PLACE = { tab: textCodec(), strategy: textCodec(), id: textCodec() };

/** Which tab of a strategy's screen is open, and how another one is. */
export interface ScreenTab {
  tab: string;
  turn: (tab: string) => void;
  /** Turns to one of the user's own strategies. */
  show: (strategy: string) => void;
}

/** Whether no other tab is asked for. */
export const isAtMarket = (search: URLSearchParams): boolean => Object.keys(PLACE).every((name) => !search.has(name));

/** The tab of a strategy's screen that the address says. @param markets those beside the user's own */
export function useScreenTab(markets: readonly string[] = [MARKET]): ScreenTab {
  const [{ tab, strategy, id }, change] = useQueryState(PLACE);
  // A link that names a strategy or a deal leads to it.
  const usual = strategy || id ? MINE : MARKET;
  return {
    tab: tab === MINE || markets.includes(tab) ? tab : usual,
    turn: (to) => change({ tab: to === MARKET && usual === MARKET ? '' : to }),
    show: (own) => change({ tab: MINE, strategy: own, id: '' }),
  };
}
