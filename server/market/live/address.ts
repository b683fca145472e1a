/** Of a client of ccxt, what says where it calls and how. */
interface Addressed {
  id: string;
  urls: Record<string, unknown>;
  loadHttpProxyAgent(): Promise<unknown>;
}

/** Tables of addresses that a client calls, or may be switched over to. The others lead people to pages. */
const TABLES = ['api', 'test', 'demo', 'demotrading'] as const;

/**
 * Paths of streams that lead elsewhere on one host. Of binance's ccxt takes those with `/stream` for spot and puts
 * `public`, `market` or `private` before the last part of `/fstream/ws`.
 */
const STREAM_PATHS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  binance: {
    'ws.spot': '/stream/ws',
    'ws.margin': '/stream/ws',
    'ws.future': '/fstream/ws',
    'ws.delivery': '/dstream/ws',
  },
};

/**
 * Has a client call `url` (`EXCHANGE_URL_<NAME>`: a proxy or a stand-in) instead of its exchange, for everything: its
 * scheme, host and port before the paths as they are, streams on the same port.
 */
export async function pointAt(client: Addressed, url: string): Promise<void> {
  const { protocol, host } = new URL(url);
  const streams = `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}`;
  const paths = STREAM_PATHS[client.id] ?? {};
  const moved = (address: unknown, name = ''): unknown => {
    if (typeof address !== 'string')
      return Object.fromEntries(
        Object.entries(address as object).map(([key, value]) => [key, moved(value, name ? `${name}.${key}` : key)]),
      );
    const [, scheme, path] = /^(\w+):\/\/[^/]+(.*)$/.exec(address)!;
    return scheme!.startsWith('ws') ? streams + (paths[name] ?? path) : `${protocol}//${host}${path}`;
  };
  for (const table of TABLES) {
    if (client.urls[table] !== undefined) client.urls[table] = moved(client.urls[table]);
  }
  // Without it a client refuses streams that are not encrypted.
  if (protocol === 'http:') await client.loadHttpProxyAgent();
}
