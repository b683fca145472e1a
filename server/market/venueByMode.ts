import { type AccountVenue, type PaperVenue, VenueRefused } from './venue';

const unreachable = async (): Promise<never> => {
  throw new VenueRefused('unreachable');
};
const unasked = async (): Promise<never> => {
  throw new Error('an exchange that is not traded here');
};

/** An exchange that this server does not trade: nothing goes there, and nothing is heard of it, as while it is out. */
export const ABSENT: AccountVenue = {
  ...{ submit: unreachable, cancel: unasked, lookup: unasked, positions: unasked, settled: unasked },
  ...{ margin: unasked, funds: unasked, events: async () => [], tend: async () => null },
};

/**
 * One venue of all: accounts that are traded for real at their exchange, all others on paper. Prices, terms and costs are the
 * market's, whoever trades there.
 */
export function venueByMode(paper: PaperVenue, liveOf: (account: string) => Promise<AccountVenue | null>): PaperVenue {
  const of = async (account: string): Promise<AccountVenue> => (await liveOf(account)) ?? paper;
  return {
    submit: async (order) => (await of(order.account)).submit(order),
    cancel: async (account, clientId) => (await of(account)).cancel(account, clientId),
    lookup: async (account, clientId, vouch) => (await of(account)).lookup(account, clientId, vouch),
    events: async (account, after, most) => (await of(account)).events(account, after, most),
    positions: async (account) => (await of(account)).positions(account),
    settled: async (account, source) => (await of(account)).settled(account, source),
    margin: async (account) => (await of(account)).margin(account),
    funds: async (account) => (await of(account)).funds(account),
    tend: async (account) => (await of(account)).tend(account),
    terms: async (source, symbol, account) => {
      const terms = await paper.terms(source, symbol);
      if (account === undefined || terms === undefined || terms.kind === 'spot') return terms;
      const brackets = await (await of(account)).brackets?.(account, symbol);
      return brackets ? { ...terms, brackets } : terms;
    },
    goneBy: (source, symbol) => paper.goneBy(source, symbol),
    quote: (source, symbol) => paper.quote(source, symbol),
    cost: (source, symbol, side, quantity) => paper.cost(source, symbol, side, quantity),
    open: (account, capital) => paper.open(account, capital),
    /** What is real is moved at the exchange alone. */
    move: async (account, move) => {
      if ((await liveOf(account)) !== null) throw new VenueRefused('notPermitted');
      return paper.move(account, move);
    },
    advance: (accounts) => paper.advance(accounts),
  };
}
