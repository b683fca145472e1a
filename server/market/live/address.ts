/** Of a client of ccxt, what says where it calls and how. */
interface Addressed {
  id: string;
  urls: Record<string, unknown>;
  loadHttpProxyAgent(): Promise<unknown>;
}

/** Where an exchange is called. */
export interface ExchangePlace {
  /** `EXCHANGE_URL_<NAME>`: called instead of its own address. */
  url?: string | undefined;
  /** Its test network, where money is not real. */
  isTestnet?: boolean | undefined;
}

/** What a client can be switched over to. */
interface Switched extends Addressed {
  options: Record<string, unknown>;
  setSandboxMode(on: boolean): void;
  enableDemoTrading(on: boolean): void;
}

/** What the library does not know of a test network: Gate's for spot. */
const GATE_TEST_SPOT = 'wss://ws-testnet.gate.com/v4/ws/spot';

/** Whether a client calls a test network. */
export const isOnTestnet = (client: { options: object }): boolean => 'onTestnet' in client.options;

/** Has a client call its exchange at that place. */
export async function leadTo(client: Addressed, { url, isTestnet = false }: ExchangePlace): Promise<void> {
  if (isTestnet) switchOver(client as Switched);
  if (url !== undefined) await pointAt(client, url);
}

function switchOver(client: Switched): void {
  client.options.onTestnet = true;
  // Futures have no other test network at binance any more.
  if (client.id === 'binance') client.enableDemoTrading(true);
  else client.setSandboxMode(true);
  if (client.id === 'gate') Object.assign(client.urls.api as object, { spot: GATE_TEST_SPOT });
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
