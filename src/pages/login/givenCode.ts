/** A one-time code that a master gave, and whose it is. */
export interface GivenCode {
  username: string;
  code: string;
}

/** What a link with a one-time code says, which it does behind #: no server and no log ever sees it. */
export function givenCode(): GivenCode | null {
  const { hash, pathname, search } = window.location;
  const given = new URLSearchParams(hash.slice(1));
  const code = given.get('code');
  if (code === null) return null;
  // Nobody who looks over a shoulder, or goes back, finds it in the address.
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
  return { username: given.get('user') ?? '', code };
}
