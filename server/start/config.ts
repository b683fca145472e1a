import { isIP } from 'node:net';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { LIVE_EXCHANGES, LIVE_NAMES, type LiveExchange, ORDER_EXCHANGES } from '#contract/candle';
import { TRADINGS, type Trading } from '#contract/service';
import manifest from '../../package.json' with { type: 'json' };
import type { AppConfig } from '../api/deps';
import type { DatabasePlace } from '../base/db/client';
import { KEY_LENGTH } from '../base/secret/sealing';
import { StartRefusal } from '../base/startRefusal';
import { DEMO_USERS } from './demo/demoUsers';

/** What the environment says, checked. */
export interface Config {
  host: string;
  port: number;
  /** Folder of the embedded database, and of what a running server tells its commands. */
  dataDir: string;
  database: DatabasePlace;
  demo: boolean;
  /** Trades the last sixty days for the demo's accounts before the present. */
  demoStory: boolean;
  /** Seal what the database keeps secret: the first one seals, all of them open. Empty: a file in the data folder does. */
  masterKeys: Buffer[];
  /** Exchanges whose market is followed. */
  exchanges: LiveExchange[];
  /** Where to find an exchange instead of at its own address. */
  exchangeUrls: Partial<Record<LiveExchange, string>>;
  /** Whether there is a simulated market. */
  simulated: boolean;
  /** `testnet` and `live` send orders to the exchanges: to their test networks, or with real money. */
  trading: Trading;
  /** The most that a real account may hold together, USDT. */
  liveMaxNotional: number;
  app: AppConfig;
}

type Environment = Record<string, string | undefined>;
const LOG_LEVELS = ['silent', 'debug', 'info', 'warn', 'error'] as const;
/** USDT, and the most that may be asked for. */
const LIVE_MAX_NOTIONAL = 1_000;
const MOST_NOTIONAL = 10_000_000;
/** What opens the metrics must not be guessed. */
const LEAST_TOKEN = 24;
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const trimmed = (env: Environment, name: string) => env[name]?.trim() || undefined;
const wordsOf = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/**
 * Reads and checks the environment: the only place that does.
 * @throws StartRefusal with one line for each value that cannot be used.
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = [];
  const pick = <const T extends string>(name: string, words: readonly T[], fallback: T): T => {
    const word = trimmed(env, name) ?? fallback;
    if (!words.includes(word as T)) problems.push(`${name} 只能是 ${words.join('、')} 之一，现在是 ${word}`);
    return word as T;
  };
  const demo = pick('DEMO', ['0', '1'], '1') === '1';
  const simulated = pick('SIMULATED', ['0', '1'], '1') === '1';
  const exchanges = wordsOf(env.EXCHANGES) as LiveExchange[];
  const exchangeUrls = urlsOf(env);
  const trading = pick('TRADING', TRADINGS, 'paper');
  const liveMaxNotional = Number(trimmed(env, 'LIVE_MAX_NOTIONAL') ?? LIVE_MAX_NOTIONAL);
  const config: Config = {
    host: trimmed(env, 'HOST') ?? '127.0.0.1',
    port: Number(trimmed(env, 'PORT') ?? 8000),
    dataDir: path.resolve(trimmed(env, 'DATA_DIR') ?? 'data'),
    database: placeOf(env),
    demo,
    demoStory: demo && pick('DEMO_STORY', ['0', '1'], '1') === '1',
    masterKeys: wordsOf(env.SECRET_KEY).map(keyBytes),
    exchanges,
    exchangeUrls,
    simulated,
    trading,
    liveMaxNotional,
    app: {
      environment: {
        ...{ demo, simulated, trading, followed: exchanges, accounts: demo ? [...DEMO_USERS] : [] },
        ...(trading !== 'paper' && {
          liveMaxNotional,
          local: ordersGoTo(exchanges).filter((name) => isOnThisMachine(exchangeUrls[name])),
        }),
      },
      allowedHosts: wordsOf(env.ALLOWED_HOSTS),
      trustedProxy: wordsOf(env.TRUSTED_PROXY),
      version: manifest.version,
      ...(trimmed(env, 'METRICS_TOKEN') ? { metricsToken: trimmed(env, 'METRICS_TOKEN') } : {}),
      logLevel: pick('LOG_LEVEL', LOG_LEVELS, 'warn'),
    },
  };
  problems.push(...problemsOf(config, trimmed(env, 'PORT')), ...strangeUrls(env));
  if (problems.length > 0) throw new StartRefusal(problems.join('\n'));
  return config;
}

function placeOf(env: Environment): DatabasePlace {
  const url = trimmed(env, 'DATABASE_URL');
  const ownerUrl = trimmed(env, 'DATABASE_OWNER_URL');
  if (url !== undefined) return { kind: 'url', url, ...(ownerUrl === undefined ? {} : { ownerUrl }) };
  return { kind: 'folder', path: path.resolve(trimmed(env, 'DATA_DIR') ?? 'data') };
}

/** Of 64 hexadecimal digits, or of base64 with either alphabet. */
const keyBytes = (text: string): Buffer => Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');

const ORDER_NAMES = ORDER_EXCHANGES.map((name) => LIVE_EXCHANGES[name]).join('、');
const URL_PREFIX = 'EXCHANGE_URL_';
const urlName = (exchange: LiveExchange) => `${URL_PREFIX}${exchange.toUpperCase()}`;

const urlsOf = (env: Environment): Config['exchangeUrls'] =>
  Object.fromEntries(
    LIVE_NAMES.flatMap((name) => (trimmed(env, urlName(name)) ? [[name, trimmed(env, urlName(name))]] : [])),
  );

/** A name that is misspelt would send orders to the exchange itself. */
function strangeUrls(env: Environment): string[] {
  const known = new Set(LIVE_NAMES.map(urlName));
  const strange = Object.keys(env).filter(
    (name) => name.startsWith(URL_PREFIX) && !known.has(name) && trimmed(env, name),
  );
  return strange.map((name) => `没有 ${name}：可以写的是 ${[...known].join('、')}`);
}

/** @returns one line for each value that cannot be used */
function sourceProblems({ exchanges, exchangeUrls, simulated, demo }: Config): string[] {
  const unknown = exchanges.filter((name) => !LIVE_NAMES.includes(name));
  const wrong = LIVE_NAMES.filter((name) => exchangeUrls[name] !== undefined && !isHttpUrl(exchangeUrls[name]));
  return [
    ...when(
      unknown.length > 0,
      `EXCHANGES 是以逗号分隔的交易所，目前可选 ${LIVE_NAMES.join('、')}：${unknown.join('、')} 不能识别`,
    ),
    ...when(new Set(exchanges).size < exchanges.length, `EXCHANGES 里同一个交易所写了两次：${exchanges.join('、')}`),
    ...wrong.map((name) => `${urlName(name)} 必须形如 http://主机:端口，不带路径，现在是 ${exchangeUrls[name]}`),
    ...when(!simulated && demo, 'SIMULATED=0 没有模拟行情，演示账户无法交易：请同时设 DEMO=0'),
  ];
}

/** Scheme, host and port: a path would be left out. */
function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search } = new URL(text);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '';
}

function problemsOf(config: Config, port: string | undefined): string[] {
  const { host, database, app } = config;
  const hosts = app.allowedHosts.filter((name) => !/^[a-z0-9.-]+$/i.test(name));
  const proxies = app.trustedProxy.filter((address) => !isAddressRange(address));
  return [
    ...when(
      !(Number.isInteger(config.port) && config.port >= 0 && config.port <= 65_535),
      `PORT 必须是 0-65535 的整数，现在是 ${port}`,
    ),
    ...when(
      database.kind === 'url' && !isPostgresUrl(database.url),
      'DATABASE_URL 必须形如 postgres://用户:密码@主机:端口/数据库',
    ),
    ...when(
      database.kind === 'url' && database.ownerUrl !== undefined && !isSameDatabase(database.ownerUrl, database.url),
      'DATABASE_OWNER_URL 必须指向 DATABASE_URL 的同一个数据库，以另一个角色登录',
    ),
    ...when(
      config.masterKeys.some(({ length }) => length !== KEY_LENGTH),
      // Never the value itself.
      'SECRET_KEY 必须是 32 字节（64 位十六进制或 base64），可用 openssl rand -base64 32 生成；更换时为“新,旧”',
    ),
    ...when(
      app.metricsToken !== undefined && app.metricsToken.length < LEAST_TOKEN,
      `METRICS_TOKEN 至少 ${LEAST_TOKEN} 个字符，可用 openssl rand -hex 32 生成`,
    ),
    ...when(hosts.length > 0, `ALLOWED_HOSTS 是以逗号分隔的主机名，不含协议与端口：${hosts.join('、')} 不能识别`),
    ...when(proxies.length > 0, `TRUSTED_PROXY 是以逗号分隔的 IP 地址或网段：${proxies.join('、')} 不能识别`),
    ...when(config.demo && !LOOPBACK.test(host), `演示账户的密码是公开的，只能监听本机：HOST 为 ${host} 时请设 DEMO=0`),
    ...sourceProblems(config),
    ...tradingProblems(config),
  ];
}

/** Of exchanges that are followed those that real orders are sent to. */
const ordersGoTo = (exchanges: readonly LiveExchange[]): LiveExchange[] =>
  ORDER_EXCHANGES.filter((name) => exchanges.includes(name));

/** Whether an address is that of a program on this machine: a stand-in, or a proxy. */
const isOnThisMachine = (url: string | undefined): boolean =>
  url !== undefined && isHttpUrl(url) && LOOPBACK.test(new URL(url).hostname.replace(/[[\]]/g, ''));

/** What keeps real orders from being sent at all. */
function tradingProblems({ trading, liveMaxNotional, exchanges, demo }: Config): string[] {
  // Of a word that is none its own line is enough.
  const isLive = trading === 'live' || trading === 'testnet';
  return [
    ...when(
      !(Number.isInteger(liveMaxNotional) && liveMaxNotional >= 1 && liveMaxNotional <= MOST_NOTIONAL),
      `LIVE_MAX_NOTIONAL 必须是 1-${MOST_NOTIONAL} 的整数（USDT，每个实盘账户的名义上限）`,
    ),
    ...when(
      isLive && ordersGoTo(exchanges).length === 0,
      `TRADING=${trading} 目前只能在${ORDER_NAMES}下单：请在 EXCHANGES 里写上 ${ORDER_EXCHANGES.join(' 或 ')}`,
    ),
    ...when(isLive && demo, `TRADING=${trading} 不能与演示账户一起：演示环境不向交易所核对密钥，请设 DEMO=0`),
  ];
}

const when = (wrong: boolean, problem: string): string[] => (wrong ? [problem] : []);

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) && new URL(text).host !== '';
}

function isSameDatabase(owner: string, server: string): boolean {
  if (!isPostgresUrl(owner)) return false;
  const [one, other] = [new URL(owner), new URL(server)];
  return one.host === other.host && one.pathname === other.pathname && one.username !== other.username;
}

const isAddressRange = (text: string): boolean =>
  isIP(text) !== 0 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
