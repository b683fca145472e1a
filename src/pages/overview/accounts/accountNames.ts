import type { Column } from '@/table/column';

/** Names of accounts by their ids; null where rows do not have to say whose they are. */
export type AccountNames = ReadonlyMap<string, string> | null;

/** @param named ids and names, with a blank between them; none for null */
export const namesOf = (named: readonly string[]): AccountNames =>
  named.length === 0
    ? null
    : new Map(named.map((text) => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]));

/** Whose a row is, where there are several accounts. */
export const accountColumn = <R extends { accountId: string }>(accounts: AccountNames): Column<R>[] =>
  accounts === null
    ? []
    : [
        {
          key: 'account',
          title: '账户',
          width: 96,
          sort: 'ascend',
          render: ({ accountId }) => accounts.get(accountId),
          csv: ({ accountId }) => accounts.get(accountId) ?? null,
        },
      ];
