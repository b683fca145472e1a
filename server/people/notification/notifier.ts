import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { WebhookResult } from '#contract/notification';
import { PUSH_CHANNEL_LABEL, type PushTarget } from '#contract/pushChannel';
import { keysOf } from '../../base/db/accounts/apiKey';
import type { SecretRow } from '../../base/db/accounts/secret';
import type { Database, Queries } from '../../base/db/client';
import { moveProgress, newsStamp, progressOf } from '../../base/db/markets/newsSource';
import { addNews, type News, unreadOf } from '../../base/db/records/notification';
import { webhookSecrets } from '../../base/db/records/webhook';
import { FACTOR_PURPOSE, factorSecrets } from '../../base/db/users/secondFactor';
import type { Jobs } from '../../base/jobs/jobs';
import type { Vault } from '../../base/secret/vault';
import type { Clock } from '../../market/exchange';
import { secretStateOf } from '../apiKey/keyVault';
import { gatherNews } from './gatherNews';
import { keyLink, nameOfKey } from './keyNews';
import type { PublicMail } from './publicMail';
import type { PublicPost } from './publicPost';
import type { Publisher } from './publisher';
import { queueDeliveries, WebhookSender } from './webhookSender';

/** What a user is told of one that is damaged. */
type Words = Pick<News, 'title' | 'text' | 'link'>;

const FACTOR: Words = {
  title: '两步验证的密钥已损坏',
  text: '认证器的验证码无法再核对：请用恢复码登录，关闭两步验证后重新设置',
  link: null,
};
const WEBHOOK: Words = {
  title: '推送地址已损坏',
  text: '保存的推送地址与签名密钥读不出来，通知不再推送：请重新设置',
  link: null,
};
const wayWords = (channel: PushTarget): Words =>
  channel === 'webhook'
    ? WEBHOOK
    : {
        title: `${PUSH_CHANNEL_LABEL[channel]}推送的设置已损坏`,
        text: '保存的地址与密钥读不出来，通知不再经它推送：请重新设置',
        link: null,
      };

/** Stored secrets that no master key will ever open: their owners are told, once each. */
export async function secretNews(db: Queries, vault: Vault, now: number): Promise<News[]> {
  const [keys, factors, webhooks] = [await keysOf(db), await factorSecrets(db), await webhookSecrets(db)];
  return [
    ...keys.flatMap(({ key, secret }) =>
      secretStateOf(vault, key, secret) === 'damaged'
        ? [
            newsOf(key.userId, `apiKey:${key.id}`, secret, now, {
              ...KEY,
              text: KEY.text(nameOfKey(key)),
              link: keyLink(key),
            }),
          ]
        : [],
    ),
    ...factors.filter(isDamaged(vault, FACTOR_PURPOSE)).map((one) => ofUser(one, FACTOR_PURPOSE, now, FACTOR)),
    ...webhooks
      .filter((one) => isDamaged(vault, one.channel)(one))
      .map((one) => ofUser(one, one.channel, now, wayWords(one.channel))),
  ];
}

interface Owned {
  userId: string;
  secret: SecretRow | null;
}

const KEY = { title: '交易所密钥已损坏', text: (name: string) => `${name}：保存的密钥读不出来，请更换` };

const isDamaged =
  (vault: Vault, purpose: string) =>
  ({ userId, secret }: Owned): boolean =>
    vault.stateOf({ purpose, recordId: userId, context: userId }, secret) === 'damaged';

const ofUser = ({ userId, secret }: Owned, purpose: string, now: number, words: Words): News =>
  newsOf(userId, `${purpose}:${userId}`, secret, now, words);

/** One that is set anew and damaged again is news again. */
const newsOf = (userId: string, name: string, secret: SecretRow | null, at: number, words: Words): News => ({
  userId,
  key: `damaged:${name}:${secret?.wrappedKey.slice(0, 16) ?? ''}`,
  kind: 'key',
  level: 'error',
  ...words,
  at,
});

interface NotifierOptions {
  db: Database;
  clock: Clock;
  stream: Publisher;
  post: PublicPost;
  mail: PublicMail;
  vault: Vault;
  /** Push. */
  jobs: Jobs;
  /** Whether what is called real is of test networks. */
  isTestnet?: boolean | undefined;
  /** Told the class of what went wrong. */
  onTrouble?: (what: string) => void;
}

/** Of test networks nothing is called real. */
const ofTestnet = (one: News): News => ({ ...one, title: one.title.replace(/^实盘/, '测试网') });

/** News of one moment are told together. */
const GATHER_MS = 1_000;
/** What no notice of the engine announces, such as another process's, is looked for so often. */
const LOOK_MS = 5_000;
/** What time alone brings, and what a slow transaction wrote under an older number, is looked for so often. */
const AGAIN_MS = 20_000;
/** All stored secrets are opened for it. */
const SECRETS_MS = HOUR_MS;

const nameOf = ({ userId, key }: News): string => `${userId} ${key}`;

/**
 * Tells users what the engine has done, after the fact: it reads the record, beside the engine's own transactions, and
 * keeps a line for each user. A line is told once, however many processes look.
 */
export class Notifier {
  readonly #o: NotifierOptions;
  /** Texts of the news of the last pass, which the next one finds again. */
  #told: ReadonlyMap<string, string> = new Map();
  #damaged: { at: number; news: readonly News[] } = { at: Number.NEGATIVE_INFINITY, news: [] };
  /** What was written when the last pass began. */
  #stamp = '';
  #passedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #wokenAt = 0;
  #running: Promise<void> = Promise.resolve();
  #started = false;
  #stopped = false;

  constructor(options: NotifierOptions) {
    this.#o = options;
    new WebhookSender({ ...options, onGivenUp: (...given) => this.#giveUp(...given) });
  }

  start(): void {
    this.#started = true;
    this.#next(GATHER_MS);
  }

  /** Something happened that somebody may have to be told of. */
  wake(): void {
    if (!this.#started || this.#stopped || this.#wokenAt !== 0) return;
    this.#wokenAt = Date.now();
    this.#next(GATHER_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Tells what is new. @returns how many lines are. */
  async pass(): Promise<number> {
    const { db, clock } = this.#o;
    const now = clock();
    const { news: gathered, seen } = await gatherNews(db, await progressOf(db), now);
    const news = [...gathered.map(this.#o.isTestnet ? ofTestnet : (one) => one), ...(await this.#ofSecrets(now))];
    const fresh = news.filter((one) => this.#told.get(nameOf(one)) !== one.text);
    // In a transaction only where something is written: the engine's own would wait for it.
    const told = await this.#keep(fresh, now);
    // After the news: should this not come to be, they are found again.
    await moveProgress(db, seen);
    this.#told = new Map(news.map((one) => [nameOf(one), one.text]));
    await publishUnread(this.#o, told.touched);
    return told.added.length;
  }

  /** What is damaged stays so: it is looked for now and then. */
  async #ofSecrets(now: number): Promise<readonly News[]> {
    const { at } = this.#damaged;
    if (now >= at && now - at < SECRETS_MS) return this.#damaged.news;
    this.#damaged = { at: now, news: await secretNews(this.#o.db, this.#o.vault, now) };
    return this.#damaged.news;
  }

  async #keep(news: readonly News[], now: number) {
    const { db, jobs } = this.#o;
    if (news.length === 0) return { added: [], touched: [] };
    const { changed, isSent } = await db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      const changed = await addNews(tx, news, now);
      return { changed, isSent: await queueDeliveries(tx, jobs, changed.added) };
    });
    if (isSent) jobs.wake();
    return changed;
  }

  /** Once a day: what does not arrive today is mostly the same trouble. */
  async #giveUp(
    { userId, channel }: { userId: string; channel: PushTarget },
    { at, detail }: Pick<WebhookResult, 'at' | 'detail'>,
    isGone: boolean,
  ): Promise<void> {
    const by = channel === 'webhook' ? '' : `${PUSH_CHANNEL_LABEL[channel]}：`;
    const news: News = {
      userId,
      key: isGone ? `webhookGone:${at}` : `${channel}:${Math.floor(at / DAY_MS)}`,
      kind: 'system',
      level: 'warning',
      title: isGone ? '通知推送已停止' : '通知推送失败',
      text: isGone
        ? `对方答复 ${detail}：这个推送地址已永久失效，请设置新的地址`
        : `${by}多次重试后仍未送达：${detail}，请检查推送${channel === 'webhook' ? '地址' : '渠道的设置'}`,
      link: null,
      at,
    };
    const { touched } = await addNews(this.#o.db, [news], at);
    await publishUnread(this.#o, touched);
  }

  #next(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn();
    }, ms);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    this.#wokenAt = 0;
    try {
      const [began, stamp] = [performance.now(), await newsStamp(this.#o.db)];
      if (stamp !== this.#stamp || began - this.#passedAt >= AGAIN_MS) {
        await this.pass();
        [this.#stamp, this.#passedAt] = [stamp, began];
      }
    } catch (error) {
      this.#o.onTrouble?.((error as Error).name);
    }
    // Woken meanwhile, the next turn comes soon already.
    if (this.#wokenAt === 0) this.#next(LOOK_MS);
  }
}

/** Tells these users' screens how much they have not read. */
export async function publishUnread(
  { db, clock, stream }: Pick<NotifierOptions, 'db' | 'clock' | 'stream'>,
  userIds: readonly string[],
): Promise<void> {
  const unread = await unreadOf(db, userIds);
  for (const userId of userIds) {
    const data = { unread: unread.get(userId) ?? 0, at: clock() };
    stream.publish({ topic: 'notification', userId, type: 'notification', key: userId, data });
  }
}
