/** PostgreSQL's own words for a server that is going, gone or not there yet, and those of the network. */
const LOST =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the drivers say without a code. */
const LOST_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;

function causesOf(error: unknown): { code?: unknown; message?: unknown }[] {
  if (typeof error !== 'object' || error === null) return [];
  return [error, ...causesOf((error as { cause?: unknown }).cause)];
}

/** Whether a query failed because the database could not be reached, not because of what was asked. */
export function isLostConnection(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, message }) => LOST.test(String(code ?? '')) || LOST_WORDS.test(String(message ?? '')),
  );
}

/** Of a disk without room; of a database that may only read, as is done, here and by those who host one, before it has none. */
const FULL = new Set<unknown>(['53100', 'ENOSPC', '25006']);

/** Whether a call failed because the disk has no room for what it was to store. */
export const isDiskFull = (error: unknown): boolean => causesOf(error).some(({ code }) => FULL.has(code));

/** The code that PostgreSQL, or the network, gave for a failed query; undefined for a failure of another kind. */
export function databaseCode(error: unknown): string | undefined {
  const code = causesOf(error).find((cause) => cause.code !== undefined)?.code;
  return code === undefined ? undefined : String(code);
}
