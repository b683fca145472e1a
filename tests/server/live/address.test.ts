import { isOnTestnet, leadTo, pointAt } from '#server/market/live/address';
import { createClient, type LiveExchange } from '#server/market/live/exchangeClass';

const EXCHANGES: LiveExchange[] = ['binance', 'okx', 'bybit', 'gate'];

/** All addresses of a table, however deep. */
const addressesIn = (table: unknown): string[] =>
  typeof table === 'string' ? [table] : Object.values(table as object).flatMap(addressesIn);

const schemeAndHostOf = (address: string): string => address.split('/').slice(0, 3).join('/');

/** What a client calls, as it stands and once it is switched over. */
const called = (urls: Record<string, unknown>) => {
  const { logo, www, doc, api_management, fees, referral, ...tables } = urls;
  return addressesIn(tables);
};

describe.each(EXCHANGES)('a client of %s that is to call another address', (name) => {
  test('calls that and no other, on test networks too', async () => {
    const client = await createClient(name);
    const before = called(client.urls);
    expect(before.length).toBeGreaterThan(3);
    await pointAt(client, 'http://127.0.0.1:4000');
    const after = called(client.urls);
    expect(after).toHaveLength(before.length);
    expect([...new Set(after.map(schemeAndHostOf))].sort()).toEqual(['http://127.0.0.1:4000', 'ws://127.0.0.1:4000']);
  });

  test('encrypts its streams as it does its calls', async () => {
    const client = await createClient(name);
    await pointAt(client, 'https://proxy.test/');
    expect([...new Set(called(client.urls).map(schemeAndHostOf))].sort()).toEqual([
      'https://proxy.test',
      'wss://proxy.test',
    ]);
  });
});

test('the paths of calls stay, and streams of binance are told apart by theirs', async () => {
  const client = await createClient('binance');
  await pointAt(client, 'http://127.0.0.1:4000');
  const { fapiPublic, sapiV3, ws } = client.urls.api;
  expect([fapiPublic, sapiV3]).toEqual(['http://127.0.0.1:4000/fapi/v1', 'http://127.0.0.1:4000/sapi/v3']);
  expect([ws.spot, ws.future, ws['ws-api'].spot]).toEqual([
    'ws://127.0.0.1:4000/stream/ws',
    'ws://127.0.0.1:4000/fstream/ws',
    'ws://127.0.0.1:4000/ws-api/v3',
  ]);
});

test('what is sent to a connection that is closing fails without ending the process', async () => {
  const client = await createClient('okx');
  const connection = client.client('wss://127.0.0.1:4000/ws/v5/public');
  const closing = {
    send: (_message: string, _options: object, done: (error: Error) => void) => done(new Error('closing')),
  };
  Object.assign(connection, { connection: closing });
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  // As the library does where it counts what it sends.
  void connection.send('subscribe');
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
  await expect(connection.send('subscribe')).rejects.toThrow('closing');
});

const TEST_HOSTS = {
  binance: /^(demo-[a-z-]+\.binance\.com|(testnet|[fd]stream)\.binancefuture\.com)$/,
  // Of OKX the header of a question says it, and the host of a stream.
  okx: /^(\{hostname\}|wspap\.okx\.com:8443)$/,
  bybit: /^(api|stream)-testnet\.(\{hostname\}|bybit\.com)$/,
  gate: /^(api-testnet\.gateapi\.io|ws-testnet\.gate\.com|fx-ws-testnet\.gateio\.ws)$/,
};

test.each(EXCHANGES)('a client of %s that is to trade on its test network calls nothing else', async (name) => {
  const client = await createClient(name);
  expect(isOnTestnet(client)).toBe(false);
  await leadTo(client, { isTestnet: true });
  expect(isOnTestnet(client)).toBe(true);
  const hosts = [...new Set(addressesIn(client.urls.api).map((address) => address.split('/')[2]!))];
  expect(hosts.filter((host) => !TEST_HOSTS[name].test(host))).toEqual([]);
  expect(client.headers['x-simulated-trading']).toBe(name === 'okx' ? '1' : undefined);
  // Behind a proxy too.
  await leadTo(client, { isTestnet: true, url: 'http://127.0.0.1:4000' });
  expect([...new Set(addressesIn(client.urls.api).map(schemeAndHostOf))].sort()).toEqual([
    'http://127.0.0.1:4000',
    'ws://127.0.0.1:4000',
  ]);
});
