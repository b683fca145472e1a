/** A one-time code that a master gave, and whose it is. */
export interface GivenCode {
  username: string;
  code: string;
}

/** What a link with a one-time code says, which it does behind #: no server and no log ever sees it. */
export function givenCode(): GivenCode | null {
  const given = new URLSearchParams(window.location.hash.slice(1));
  const code = given.get('code');
  return code === null ? null : { username: given.get('user') ?? '', code };
}

/** Nobody who looks over a shoulder, or goes back, finds it in the address. */
export function hideCode(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
}
