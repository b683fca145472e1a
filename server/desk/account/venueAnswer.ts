import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { AccountRow } from '../../base/db/accounts/venueAccount';
import { symbolKey } from '../../base/symbolKey';
import type { Markets } from '../../market/exchange';
import { perpetualOf } from '../../market/perpetualOf';
import type { TradingTerms, Venue, VenueMargin, VenuePosition } from '../../market/venue';

/** A venue that is silent for so long could not be asked. */
const PATIENCE_MS = 4_000;

/** What the venue says of an account. */
export interface VenueAnswer {
  account: AccountRow;
  /** null while a held symbol has no price. */
  margin: VenueMargin | null;
  positions: VenuePosition[];
  /** Symbols (`symbolKey`) whose fills the books have yet to take in. */
  pending: ReadonlySet<string>;
  /** By `symbolKey`, of every position. */
  terms: ReadonlyMap<string, TradingTerms>;
  /** What trading costs: of a position, else of BTC in the source that is traded. */
  fee: TradingTerms | null;
}

interface Question {
  /** `sequence`, the newest event that was booked, was read before the venue is asked. */
  account: AccountRow;
  settings: HedgeSettings | null;
}

/** Asks the venue; `null` where it cannot be asked or is silent, which is never an account without positions. */
export function askVenue(venue: Venue, markets: Markets, question: Question): Promise<VenueAnswer | null> {
  return inTime(ask(venue, markets, question));
}

/** What a venue answers, `null` where it fails or is silent for too long. */
export async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, silence]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(venue: Venue, markets: Markets, { account, settings }: Question): Promise<VenueAnswer> {
  const { id, sequence } = account;
  // Of an account that holds nothing the venue would not have to know a price.
  if ((await markets.get(account.venue))?.isOut()) throw new Error('the venue is out');
  const [positions, margin] = await Promise.all([venue.positions(id), venue.margin(id).catch(() => null)]);
  // After the positions: every fill they hold beyond the books is among these.
  const events = await venue.events(id, sequence);
  const terms = new Map<string, TradingTerms>();
  for (const position of positions) {
    const found = await venue.terms(position.source, position.symbol, id);
    if (found) terms.set(symbolKey(position), found);
  }
  const [first] = terms.values();
  return {
    account,
    margin,
    positions,
    pending: new Set(
      events.filter(({ kind, symbol }) => kind === 'fill' || (kind === 'move' && symbol !== '')).map(symbolKey),
    ),
    terms,
    fee: first ?? (settings && (await bitcoinTerms(venue, markets, settings.source))),
  };
}

async function bitcoinTerms(venue: Venue, markets: Markets, source: string): Promise<TradingTerms | null> {
  const market = await markets.get(source);
  const bitcoin = market && perpetualOf(await market.instruments(), 'BTC');
  return (bitcoin && (await venue.terms(source, bitcoin.symbol))) ?? null;
}
