import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { liveSource } from '#contract/candle';
import { demoWords, followedNames } from '#contract/service';
import { spaced } from '#contract/spaced';
import { usersWithRealAccounts } from '../base/db/accounts/reconciliation';
import type { Database } from '../base/db/client';
import { isFailedQuery, startingOn } from '../base/db/connection/databaseFailure';
import { openDatabase, placeName } from '../base/db/connection/openDatabase';
import { StartRefusal } from '../base/startRefusal';
import type { Clock } from '../market/exchange';
import { sealAddresses } from '../people/notification/webhookSecret';
import { type Config, LOOPBACK } from './config';
import { settleDemoUsers } from './demo/demoUsers';
import { openVault } from './openVault';

/** Streams never end by themselves: at shutdown the connections still open after this long are cut. */
const PATIENCE_MS = 3000;

const PLAIN_HTTP =
  '注意：明文 HTTP 对外监听，密码与会话在途中可被看到。请放在提供 HTTPS 的反向代理之后，用 TRUSTED_PROXY 写明它的地址';

/** Opens the database, listens, says where, and closes everything at SIGINT or SIGTERM. @throws StartRefusal */
export async function serve(config: Config, clock: Clock): Promise<void> {
  const onEnd = (said: string) => {
    // Nothing can be acknowledged any more; what was is safe, and the next start finds it.
    const why = /No space left/i.test(said) ? '磁盘已满' : '请检查磁盘与内存';
    console.error(`数据目录 ${config.dataDir} 的数据库意外结束，服务已停止；${why}后重新启动`);
    process.exit(1);
  };
  // The database starts in a process of its own: meanwhile this one loads what is to work on it.
  const [db, { buildProduct, openControl }] = await Promise.all([
    openDatabase(config.database, { onEnd, onNote: (note) => console.log(note) }),
    import('./product'),
  ]);
  const closing: (() => Promise<unknown>)[] = [() => db.close()];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    await startingOn(placeName(config.database), () => settleDemoUsers(db, clock, config.demo));
    const { vault, notes } = await openVault(config, db);
    for (const note of notes) console.log(note);
    await sealAddresses(db, vault);
    const app = await buildProduct({ config, clock, db, vault });
    closing.push(() => closeApp(app));
    await listen(app, config);
    closing.push(await openControl(config.dataDir, { db, clock, vault: async () => vault }));
    // Before the address is out: whoever reads it may ask for the end at once.
    closeAtSignal(close);
    announce(app, config);
    await tellUntraded(db, config);
  } catch (error) {
    // A database that ended under a step of the start says so by itself (onEnd), as soon as its process is seen gone.
    if (config.database.kind === 'folder' && isFailedQuery(error)) await delay(PATIENCE_MS);
    await close();
    throw error;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenRefusal(error as NodeJS.ErrnoException, host, port);
  }
}

function listenRefusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartRefusal(`端口 ${port} 已被占用，请停止占用它的程序，或用 PORT 换一个端口`);
    case 'EACCES':
      return new StartRefusal(`无权监听端口 ${port}，请用 PORT 换一个 1024 以上的端口`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartRefusal(`HOST 为 ${host}，不是本机的地址`);
    default:
      return error;
  }
}

/** Who has disarmed it, or follows other exchanges than before, is to know what nobody looks after. */
async function tellUntraded(db: Database, { trading, exchanges }: Config): Promise<void> {
  const isPaper = trading === 'paper';
  const users = await usersWithRealAccounts(db, isPaper ? [] : exchanges.map(liveSource));
  if (users.length === 0) return;
  const names = users.map(({ user }) => user).join('、');
  const why = isPaper
    ? '有实盘账户，TRADING=paper 的服务器不交易它们'
    : '在 EXCHANGES 以外的交易所有实盘账户，不交易它们';
  console.warn(`${names} ${why}：其中的持仓与挂单无人看护`);
}

/** Where orders of real strategies go, for whoever starts it. */
function realWords({ trading, followed, liveMaxNotional, local = [] }: Config['app']['environment']): string[] {
  if (trading === 'paper') return [];
  const cap = `每个账户的名义上限 ${liveMaxNotional} USDT（LIVE_MAX_NOTIONAL）`;
  const where = spaced(
    `${followedNames({ followed })}${trading === 'testnet' ? '的测试网，没有真钱' : '，动用真实资金'}`,
  );
  const here =
    local.length === 0 ? '' : `；其中${followedNames({ followed: local })}发往本机的地址（替身交易所或代理）`;
  return [`真实委托发往${where}${here}；${cap}`];
}

/** One write, so that whoever waits for the address has the accounts with it. */
function announce(app: FastifyInstance, { host, demo, app: { environment, trustedProxy } }: Config): void {
  const { port } = app.server.address() as AddressInfo;
  const address = `已启动：http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const accounts = environment.accounts.map(({ name, password, role }) => `  ${name} / ${password} / ${role}`);
  const isOpenPlainly = !LOOPBACK.test(host) && trustedProxy.length === 0;
  const realLines = realWords(environment);
  const demoLines = demo ? [`${demoWords(environment)}。演示账户（用户名 / 密码 / 角色）：`, ...accounts] : [];
  console.log([address, ...demoLines, ...realLines, ...(isOpenPlainly ? [PLAIN_HTTP] : [])].join('\n'));
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS);
  await app.close();
  clearTimeout(cut);
}

function closeAtSignal(close: () => Promise<void>): void {
  let asked = false;
  const stop = () => {
    // Asked twice means now; acknowledged data is on the disk already.
    if (asked) process.exit(1);
    asked = true;
    void close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
