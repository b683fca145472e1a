/** Names of accounts by their ids; null where rows do not have to say whose they are. */
export type AccountNames = ReadonlyMap<string, string> | null;

/** @param named ids and names, with a blank between them; none for null */
export const namesOf = (named: readonly string[]): AccountNames =>
  named.length === 0
    ? null
    : new Map(named.map((text) => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]));
