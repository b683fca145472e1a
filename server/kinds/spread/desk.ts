import type { SpreadExpiry } from '#contract/kinds/spread/desk';
import type { DealRow } from '#contract/strategyRow';
import { notFound } from '../../base/http/refusal';
import { type EntryEdge, expectedAndRealised } from '../../base/maths/expectedAndRealised';
import type { DeskDeps } from '../../desk/deps';
import { mustOwn } from '../../desk/strategy/strategyIntents';
import { dealRows } from '../../desk/strategy/strategyRows';

const DEALS = 1_000;

/** How well the deals of a strategy came in, and what each expiry made. @throws 404 for any other id */
export async function spreadFigures(needs: Pick<DeskDeps, 'db' | 'markets'>, userId: string, id: string, now: number) {
  const strategy = await mustOwn(needs.db, userId, id);
  if (strategy.kind !== 'spread') throw notFound('没有这个策略');
  const deals = await dealRows(needs, id, now, DEALS);
  const opened = deals.filter(({ openedAt }) => openedAt !== null);
  // What took its near leg over was not filled on both.
  const seconds = opened.flatMap(({ secondFillMs }) => (secondFillMs === null ? [] : [secondFillMs]));
  return {
    ...expectedAndRealised(opened.flatMap(edgeOf)),
    secondFillMs: seconds.length === 0 ? null : Math.round(seconds.reduce((sum, ms) => sum + ms, 0) / seconds.length),
    opened: opened.length,
    unmatched: deals.filter(({ closeReason, oneLegSince }) => closeReason === 'oneLeg' || oneLegSince !== null).length,
    expiries: expiriesOf(opened),
  };
}

function edgeOf({ edgeOpen, edgeTaken, legs }: DealRow): EntryEdge[] {
  const [long] = legs;
  if (edgeOpen === null || edgeTaken === null || long?.entry == null) return [];
  return [{ expected: edgeOpen, realised: edgeTaken, notional: Math.abs(Number(long.opened)) * long.entry }];
}

const total = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** The legs of a deal; of one that expires its future alone, whatever it is held against. */
function nameOf({ legs, expiresAt }: DealRow): string {
  const names = legs.map(({ symbol }) => symbol);
  return (expiresAt === null ? undefined : names.find((symbol) => /_\d{6}$/.test(symbol))) ?? names.join(' / ');
}

function expiriesOf(deals: readonly DealRow[]): SpreadExpiry[] {
  const groups = new Map<string, DealRow[]>();
  for (const deal of deals) {
    const key = `${deal.expiresAt ?? ''} ${nameOf(deal)}`;
    groups.set(key, [...(groups.get(key) ?? []), deal]);
  }
  return [...groups.values()]
    .map((own): SpreadExpiry => {
      const held = own.filter(({ closedAt }) => closedAt === null);
      const { edgeOpen, edgeTaken } = expectedAndRealised(own.flatMap(edgeOf));
      return {
        ...{ far: nameOf(own[0]!), expiresAt: own[0]!.expiresAt, deals: own.length, running: held.length },
        ...{ edgeOpen, edgeTaken },
        pricePnl: total(own.map(({ pricePnl }) => pricePnl)),
        funding: total(own.map(({ funding }) => funding)),
        fees: total(own.map(({ fees }) => fees)),
        net: total(own.map(({ net }) => net)),
        expected: held.length === 0 ? null : total(held.map(({ expected }) => expected)),
      };
    })
    .sort((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
}
