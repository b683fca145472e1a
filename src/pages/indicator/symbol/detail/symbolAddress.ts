const SCREEN = '/indicator/symbol/detail/';

/**
 * The symbol that a path of this screen names. Read from the raw path: the router decodes twice, and a symbol may hold
 * what looks like an escape (`A%2FB`).
 */
export function symbolOf(pathname: string): string {
  const segment = pathname.startsWith(SCREEN) ? pathname.slice(SCREEN.length).replace(/\/$/, '') : '';
  try {
    return decodeURIComponent(segment);
  } catch {
    // A hand-typed % that escapes nothing stands for itself.
    return segment;
  }
}

/** The address of a symbol's screen with the query given. */
export function addressOf(symbol: string, search = ''): string {
  return `${SCREEN}${encodeURIComponent(symbol)}${search}`;
}
