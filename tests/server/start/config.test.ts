import { readConfig } from '../../../server/start/config';

const reading = (env: Record<string, string>) => () => readConfig(env);

test('without any variable it is a demo on the loopback address, on the embedded database', () => {
  const config = readConfig({});
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8000, demo: true, trading: 'paper' });
  expect(config.database).toEqual({ kind: 'folder', path: config.dataDir });
  expect(config.app.environment.accounts.map(({ name }) => name)).toEqual(['master', 'editor', 'trader']);
});

test('DEMO=0 leaves no account to name', () => {
  expect(readConfig({ DEMO: '0' }).app.environment).toEqual({
    demo: false,
    simulated: true,
    trading: 'paper',
    followed: [],
    accounts: [],
  });
});

test.each([
  ['PORT', { PORT: 'abc' }],
  ['PORT', { PORT: '70000' }],
  ['DEMO', { DEMO: 'yes' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['TRADING', { TRADING: 'real' }],
  ['LIVE_MAX_NOTIONAL', { LIVE_MAX_NOTIONAL: '0' }],
  ['LIVE_MAX_NOTIONAL', { LIVE_MAX_NOTIONAL: '1e9' }],
  ['LIVE_MAX_NOTIONAL', { LIVE_MAX_NOTIONAL: '1,000' }],
  ['EXCHANGES', { EXCHANGES: 'binance,kraken' }],
  ['EXCHANGES', { EXCHANGES: 'binance, binance' }],
  ['EXCHANGE_URL_BINANCE', { EXCHANGE_URL_BINANCE: 'localhost:4000' }],
  ['SIMULATED', { SIMULATED: '0' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://h/d' }],
  ['SECRET_KEY', { SECRET_KEY: `${'ab'.repeat(32)},too-short` }],
  ['ALLOWED_HOSTS', { ALLOWED_HOSTS: 'http://x.example' }],
  ['TRUSTED_PROXY', { TRUSTED_PROXY: '10.0.0.0/99' }],
])('a bad %s is refused in one line that names it', (name, env) => {
  expect(reading(env)).toThrow(new RegExp(`^${name}[^\\n]*$`));
});

test('exchanges are followed that are named, at another address where one is given', () => {
  expect(readConfig({})).toMatchObject({ exchanges: [], exchangeUrls: {}, simulated: true });
  const url = 'http://127.0.0.1:4000';
  const config = readConfig({ EXCHANGES: ' binance ', EXCHANGE_URL_BINANCE: url, SIMULATED: '0', DEMO: '0' });
  expect(config).toMatchObject({ exchanges: ['binance'], exchangeUrls: { binance: url }, simulated: false });
  expect(config.app.environment).toMatchObject({ followed: ['binance'], simulated: false });
});

test('every bad value has a line of its own', () => {
  expect(reading({ PORT: '-1', LOG_LEVEL: 'loud' })).toThrow(/^LOG_LEVEL.*\nPORT.*$/);
});

test('the demo, whose passwords everybody knows, listens to this machine alone', () => {
  expect(reading({ HOST: '0.0.0.0' })).toThrow(/DEMO=0/);
  expect(reading({ HOST: '127.0.0.1.evil.example' })).toThrow(/DEMO=0/);
  expect(readConfig({ HOST: '0.0.0.0', DEMO: '0' }).host).toBe('0.0.0.0');
  expect(readConfig({ HOST: '::1' }).host).toBe('::1');
});

test.each(['live', 'testnet'])(
  'orders of TRADING=%s need an exchange that takes them, a cap and no demo',
  (TRADING) => {
    const LIVE = { TRADING, EXCHANGES: 'binance', DEMO: '0' };
    expect(reading({ ...LIVE, EXCHANGES: '' })).toThrow(/^TRADING=.*binance 或 okx 或 bybit 或 gate[^\n]*$/);
    expect(reading({ ...LIVE, DEMO: '' })).toThrow(/^TRADING=.*DEMO=0[^\n]*$/);
    expect(readConfig(LIVE)).toMatchObject({ trading: TRADING, liveMaxNotional: 1_000 });
    const { app } = readConfig({ ...LIVE, LIVE_MAX_NOTIONAL: '250' });
    expect(app.environment).toMatchObject({ trading: TRADING, liveMaxNotional: 250, local: [] });
  },
);

test('an address of an exchange that is misspelt, or has a path, is not passed over', () => {
  const LIVE = { TRADING: 'live', EXCHANGES: 'binance', DEMO: '0' };
  expect(reading({ ...LIVE, EXCHANGE_URL_BINACE: 'http://127.0.0.1:4600' })).toThrow(
    /^没有 EXCHANGE_URL_BINACE：可以写的是 EXCHANGE_URL_BINANCE、[^\n]*$/,
  );
  expect(reading({ ...LIVE, EXCHANGE_URL_BINANCE: 'http://127.0.0.1:4600/binance' })).toThrow(/不带路径/);
});

test('exchanges whose real orders go to an address of this machine are told of', () => {
  const LIVE = { TRADING: 'live', EXCHANGES: 'binance,okx', DEMO: '0' };
  const localOf = (urls: Record<string, string>) => readConfig({ ...LIVE, ...urls }).app.environment.local;
  expect(localOf({ EXCHANGE_URL_BINANCE: 'http://127.0.0.1:4600' })).toEqual(['binance']);
  expect(localOf({ EXCHANGE_URL_BINANCE: 'http://[::1]:4600', EXCHANGE_URL_OKX: 'http://localhost:1' })).toEqual([
    'binance',
    'okx',
  ]);
  for (const elsewhere of ['https://proxy.example', 'http://127.0.0.1.evil.example:4600', 'http://10.0.0.5:4600']) {
    expect(localOf({ EXCHANGE_URL_BINANCE: elsewhere })).toEqual([]);
  }
});

test('master keys are 32 bytes in hex or base64, the first one seals, and a wrong one is not repeated', () => {
  const bytes = Buffer.alloc(32, 0xab);
  const { masterKeys } = readConfig({ SECRET_KEY: `${bytes.toString('hex')}, ${bytes.toString('base64')}` });
  expect(masterKeys).toEqual([bytes, bytes]);
  expect(readConfig({}).masterKeys).toEqual([]);
  expect(reading({ SECRET_KEY: 'too-short' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('too-short') }),
  );
});

test('hosts and proxies are lists', () => {
  const { app } = readConfig({ ALLOWED_HOSTS: 'a.example, b.example', TRUSTED_PROXY: '10.0.0.1,10.1.0.0/16,::1' });
  expect(app.allowedHosts).toEqual(['a.example', 'b.example']);
  expect(app.trustedProxy).toEqual(['10.0.0.1', '10.1.0.0/16', '::1']);
});
