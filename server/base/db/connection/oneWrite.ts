import type pg from 'pg';

/** So many texts of statements are kept parsed on a connection; those with lists of ever other lengths have many. */
const PARSED = 400;
/** What is asked once is not worth a name. */
const ASKED_BEFORE = 2;

interface Asked {
  text: string;
  name?: string;
}

type Ask = (asked: string | Asked, ...rest: unknown[]) => unknown;

/** What the driver has and its types leave out. */
interface Wired {
  connection: { stream: { cork(): void; uncork(): void; destroy(): void } };
}

const NOTHING = { rows: [], rowCount: null };

/**
 * A connection of a process that asks tens of thousands of statements one after the other: what it asks within one turn
 * of its loop, a transaction's beginning with it, goes out as one write, and what it asks again and again is parsed once.
 */
export function inOneWrite(client: pg.PoolClient): void {
  const ask = client.query.bind(client) as Ask;
  const { stream } = (client as unknown as Wired).connection;
  const names = namesOfStatements();
  const asking: Ask = (asked, ...rest) => {
    stream.cork();
    process.nextTick(() => stream.uncork());
    const text = typeof asked === 'string' ? asked : asked.text;
    if (text === 'begin' && typeof rest.at(-1) !== 'function') {
      // What follows must not be kept without it.
      (ask(text) as Promise<unknown>).catch(() => stream.destroy());
      return Promise.resolve(NOTHING);
    }
    const name = typeof asked === 'string' ? undefined : names(text);
    return name === undefined ? ask(asked, ...rest) : ask({ ...(asked as Asked), name }, ...rest);
  };
  Object.assign(client, { query: asking });
}

/** @returns a name for what is asked often */
function namesOfStatements(): (text: string) => string | undefined {
  const asked = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= PARSED) return known;
    const times = (asked.get(text) ?? 0) + 1;
    asked.set(text, times);
    if (times <= ASKED_BEFORE) return undefined;
    const name = `s${names.size}`;
    names.set(text, name);
    asked.delete(text);
    return name;
  };
}
