import {
  ApiKeyRow,
  type apiKey,
  KEY_RIGHTS,
  type KeyNeed,
  type KeyRight,
  type KeyState,
  keyNeeds,
  type RightVerdict,
} from '#contract/apiKey';
import type { LiveExchange } from '#contract/candle';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { StrategyKind } from '#contract/strategy';
import { type ApiKeyRecord, accountsAndStrategies, keysOf } from '../../base/db/accounts/apiKey';
import type { SecretRow } from '../../base/db/accounts/secret';
import { accountFor } from '../../base/db/accounts/venueAccount';
import type { Queries } from '../../base/db/client';
import { rowOrder } from '../../base/http/listPage';
import type { SecretState } from '../../base/secret/vault';
import { sourcesOf } from '../../engine/preview';
import type { PeopleDeps } from '../deps';
import { daysUntil, hasExpired, mayWithdraw, toldReport } from './keyReport';
import { secretStateOf } from './keyVault';

/**
 * The accounts of a user, each with the strategies that trade in it: those of its mode whose params name its venue. One
 * that is not set up yet may come to trade in any.
 */
export async function keyAccounts(db: Queries, userId: string) {
  const { accounts, strategies } = await accountsAndStrategies(db, userId);
  const placed = strategies.map(({ params, ...one }) => {
    const own = accounts.filter(({ mode }) => mode === one.mode);
    const sources = sourcesOf(one.kind as StrategyKind, params);
    const rights = keyNeeds(one.kind as StrategyKind, params);
    return {
      one: { ...one, rights },
      accounts: sources.length === 0 ? own : sources.map((source) => accountFor(own, source, one.mode)),
    };
  });
  return accounts.map((account) => ({
    ...account,
    strategies: placed.filter(({ accounts: used }) => used.includes(account)).map(({ one }) => one),
  }));
}
export type KeyAccount = Awaited<ReturnType<typeof keyAccounts>>[number];

type Needs = Pick<PeopleDeps, 'clock' | 'vault' | 'keyCheck'>;

/** The console reads balances and positions by every key. */
const CONSOLE = '账户总览';

function stateOf({ enabled, report }: ApiKeyRecord, secret: SecretState, now: number): KeyState {
  if (secret !== 'open') return secret;
  if (!enabled) return 'disabled';
  if (report === null || report.outcome === 'unavailable') return 'untested';
  if (mayWithdraw(report)) return 'dangerous';
  if (hasExpired(report, now)) return 'expired';
  return report.outcome === 'accepted' ? 'ready' : 'failed';
}

function verdictOf(right: KeyRight, has: boolean | null, needed: boolean): RightVerdict {
  if (has === null) return 'unknown';
  if (right === 'withdraw' && has) return 'forbidden';
  if (has) return needed ? 'fits' : 'unneeded';
  return needed ? 'missing' : 'absent';
}

/** Each right: whether the key has it, and what needs it. */
function needsOf({ report }: ApiKeyRecord, strategies: KeyAccount['strategies']): KeyNeed[] {
  const rights = report?.rights ?? null;
  return KEY_RIGHTS.map((right) => {
    const users = strategies.filter(({ rights: needed }) => needed.includes(right));
    const neededBy = [...(right === 'read' ? [CONSOLE] : []), ...users.map(({ name }) => name)];
    const has = rights === null ? null : rights.includes(right);
    return { right, has, neededBy, verdict: verdictOf(right, has, neededBy.length > 0) };
  });
}

function rowOf(deps: Needs, record: ApiKeyRecord, secret: SecretRow | null, accounts: KeyAccount[]): ApiKeyRow {
  const now = deps.clock();
  const { report } = record;
  const used = accounts.filter(({ apiKeyId }) => apiKeyId === record.id);
  const strategies = [...new Map(used.flatMap((one) => one.strategies).map((one) => [one.id, one])).values()];
  return {
    id: record.id,
    exchange: record.exchange as LiveExchange,
    name: record.name,
    maskedKey: `****${record.tail}`,
    subAccount: record.subAccount,
    note: record.note,
    state: stateOf(record, secretStateOf(deps.vault, record, secret), now),
    enabled: record.enabled,
    report: report && toldReport(report, deps.keyCheck, now),
    expiresAt: report?.expiresAt ?? null,
    daysLeft: report?.expiresAt == null ? null : daysUntil(report.expiresAt, now),
    latencyMs: report?.latencyMs ?? null,
    weightUsed: report?.weightUsed ?? null,
    needs: needsOf(record, strategies),
    uses: used.map(({ id, venue, mode, strategies: run }) => ({ accountId: id, venue, mode, strategies: run })),
    strategies: strategies.length,
    usedAt: record.usedAt,
    createdAt: record.createdAt,
    rotatedAt: record.rotatedAt,
    failures: record.failures,
    failingSince: record.failingSince,
    rightsBefore: record.rightsBefore,
    rightsChangedAt: record.rightsChangedAt,
  };
}

/** All keys of a user as they may be seen. */
export async function keyRows(db: Queries, deps: Needs, userId: string): Promise<ApiKeyRow[]> {
  const [keys, accounts] = [await keysOf(db, userId), await keyAccounts(db, userId)];
  return keys.map(({ key, secret }) => rowOf(deps, key, secret, accounts));
}

type Query = QueryOf<typeof apiKey.list>;

const NEWEST_FIRST = '-createdAt';

function isFound(row: ApiKeyRow, { exchange, state, keyRight, search }: Query): boolean {
  const texts = [row.name, row.maskedKey, row.subAccount ?? '', row.note];
  const wanted = search?.trim().toLowerCase() ?? '';
  return (
    (exchange === undefined || row.exchange === exchange) &&
    (state === undefined || row.state === state) &&
    (keyRight === undefined || (row.report?.rights?.includes(keyRight) ?? false)) &&
    texts.some((text) => text.toLowerCase().includes(wanted))
  );
}

/** The page of a user's keys that was asked for. A user has few of them: they are filtered and ordered here. */
export function keyListing(rows: ApiKeyRow[], query: Query): DataOf<typeof apiKey.list> {
  const { current, pageSize, sort = NEWEST_FIRST } = query;
  const found = rows.filter((row) => isFound(row, query)).sort(rowOrder(ApiKeyRow, sort, ({ id }) => id));
  return { list: found.slice((current - 1) * pageSize, current * pageSize), total: found.length };
}
