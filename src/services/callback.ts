/** Blanks and control characters: browsers drop some of them while they read an address, which changes what it means. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNREADABLE = /[\u0000-\u0020\u007f-\u009f\u2028\u2029\ufeff]/;

/** Each round takes one layer of URL encoding off; what is still encoded after that hides something. */
const DECODINGS = 3;

function isPathOfThisSite(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.includes('\\') && !UNREADABLE.test(path);
}

/** The path alone: only there do slashes and backslashes decide which host is meant. */
const pathOf = (address: string): string => address.split(/[?#]/, 1)[0] ?? '';

function staysHere(address: string): boolean {
  if (!isPathOfThisSite(address)) return false;
  let path = pathOf(address);
  for (let round = 0; round < DECODINGS; round += 1) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return false;
    }
    if (decoded === path) return true;
    if (decoded.startsWith('//') || decoded.includes('\\') || hasControl(decoded)) return false;
    path = decoded;
  }
  return false;
}

// A decoded blank is harmless inside a path, a decoded tab or line end is not.
const hasControl = (text: string): boolean => UNREADABLE.test(text.replaceAll(' ', ''));

/**
 * Where to go after signing in: `callback` when it is a path of this site, else `/`.
 * Refused are schemes, hosts, `//`, backslashes and control characters, also behind URL encoding,
 * and the sign-in pages themselves, which would lead in a circle.
 */
export function safeCallback(callback: string | null | undefined): string {
  if (!callback || !staysHere(callback)) return '/';
  const here = new URL(callback, 'http://this.site');
  if (here.host !== 'this.site' || here.pathname.startsWith('//')) return '/';
  if (here.pathname === '/login' || here.pathname === '/register') return '/';
  return callback;
}

/** The address of a sign-in page that comes back to `path` afterwards. */
export function withCallback(page: '/login' | '/register', path: string): string {
  const target = safeCallback(path);
  return target === '/' && path !== '/' ? page : `${page}?callback=${encodeURIComponent(target)}`;
}
