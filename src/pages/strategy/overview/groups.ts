import { venueName } from '#contract/candle';
import { STRATEGY_KIND_LABEL, type StrategyKind, type StrategyState } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';

export const GROUPS = ['kind', 'user', 'account', 'symbol'] as const;
export type Group = (typeof GROUPS)[number];
export const GROUP_LABEL: Record<Group, string> = {
  kind: '按类型',
  user: '按用户',
  account: '按账户',
  symbol: '按标的',
};

/** Which strategy it is, and whose. */
export type Named = Pick<OverviewRow, 'id' | 'name' | 'user'>;

/** An account by venue and name. */
export const accountText = ({ venue, name }: OverviewRow['accounts'][number]): string =>
  `${venueName(venue)} · ${name ?? '未开户'}`;

const NAMES_OF: Record<Group, (row: OverviewRow) => readonly string[]> = {
  kind: ({ kind }) => [STRATEGY_KIND_LABEL[kind]],
  user: ({ user }) => [user],
  // Accounts of two users are two, whatever they are called.
  account: ({ user, accounts }) =>
    accounts.length === 0 ? ['没有账户'] : accounts.map((one) => `${user} · ${accountText(one)}`),
  symbol: ({ symbols }) => (symbols.length === 0 ? ['没有标的'] : symbols),
};

interface RowGroup {
  /** Empty where all rows are together. */
  name: string;
  rows: readonly OverviewRow[] | undefined;
}

/** The rows by what they have in common; a strategy of several symbols stands under each of them. */
export function groupsOf(rows: readonly OverviewRow[] | undefined, group: Group | null): RowGroup[] {
  if (rows === undefined || rows.length === 0 || group === null) return [{ name: '', rows }];
  const names = [...new Set(rows.flatMap(NAMES_OF[group]))].sort();
  return names.map((name) => ({ name, rows: rows.filter((row) => NAMES_OF[group](row).includes(name)) }));
}

interface Choice {
  search: string;
  state: StrategyState | null;
  kind: StrategyKind | null;
  user: string | null;
  symbol: string | null;
}

export const isShown = (row: OverviewRow, { search, state, kind, user, symbol }: Choice): boolean =>
  row.name.toLowerCase().includes(search.trim().toLowerCase()) &&
  (state === null || row.state === state) &&
  (kind === null || row.kind === kind) &&
  (user === null || row.user === user) &&
  (symbol === null || row.symbols.includes(symbol));
