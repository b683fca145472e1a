import { Webhook } from 'standardwebhooks';
import { MINUTE_MS } from '#contract/duration';
import type { WebhookResult } from '#contract/notification';
import type { PushChannelName, PushTarget } from '#contract/pushChannel';
import type { Database, Queries } from '../../base/db/client';
import { deliveriesBefore, openJobs } from '../../base/db/records/job';
import { deliveryOf, endWebhook, noteResult, pushedNews, type WebhookRow } from '../../base/db/records/webhook';
import { type Job, JobFailed, type Jobs, NotNow, type QueueData } from '../../base/jobs/jobs';
import { SecretLocked, type Vault } from '../../base/secret/vault';
import type { Kept, Outcome, Sending as SendingBy, SentNews } from './channels/channel';
import { CHANNELS } from './channels/channels';
import { AddressRefused, readWebhookUrl } from './publicPost';
import { pushSecretName, WEBHOOK_SECRET, webhookSecret } from './webhookSecret';

/** Deliveries that may wait for one user on one way, and those given up; the oldest give way. */
const MOST_WAITING = 200;

/** What the jobs of one way of a user are found by. */
const keyOf = (userId: string, channel: PushTarget): string =>
  channel === 'webhook' ? userId : `${userId} ${channel}`;

/** Sends these notifications on by every way that their users have set up, in the transaction that adds them. @returns whether there is anything to send */
export async function queueDeliveries(
  tx: Queries,
  jobs: Jobs,
  added: readonly { id: number; userId: string; kind: string }[],
): Promise<boolean> {
  const news = await pushedNews(tx, added);
  await jobs.add(
    tx,
    'webhook',
    news.map(({ id, userId, channel }) => ({
      data: { userId, notificationId: id, channel },
      key: keyOf(userId, channel),
    })),
  );
  const ways = new Map(news.map((one) => [keyOf(one.userId, one.channel), one]));
  for (const { userId, channel } of ways.values()) await dropDeliveries(tx, jobs, userId, channel, MOST_WAITING);
  return news.length > 0;
}

/** Takes away what waits on a user's way and what was given up, but for the newest `kept`. */
export async function dropDeliveries(
  tx: Queries,
  jobs: Jobs,
  userId: string,
  channel: PushTarget,
  kept = 0,
): Promise<void> {
  await jobs.drop(tx, 'webhook', await deliveriesBefore(tx, keyOf(userId, channel), kept));
}

/** How many deliveries wait on a user's way. */
export const waitingDeliveries = (db: Queries, userId: string, channel: PushTarget): Promise<number> =>
  openJobs(db, 'webhook', keyOf(userId, channel));

const MOST_AT_ONCE = 20;
/** Taken from the queue at once: more than may wait for two users whose hosts are silent. */
const MOST_TAKEN = 500;
/** After an attempt that found its host down, and at most after many of them. */
const QUIET_MS = 10_000;
const LONGEST_QUIET_MS = MINUTE_MS;

const FAILURE_WORDS: Record<string, string> = {
  ENOTFOUND: '域名没有地址',
  EAI_AGAIN: '域名暂时无法解析',
  ECONNREFUSED: '对方拒绝连接',
  ECONNRESET: '对方中断了连接',
  ABORT_ERR: '超时',
  TimeoutError: '超时',
};

interface Sending extends SendingBy {
  db: Database;
  vault: Vault;
}

type Way = Pick<WebhookRow, 'url' | 'userId' | 'channel'>;
/** How a delivery ended. */
type Delivered = WebhookResult & Outcome;

/** Sends one piece of news on, once. @param delivery the same for every attempt at the same news. */
export async function sendNews(by: Sending, way: Way, news: SentNews, delivery: string): Promise<Delivered> {
  const { channel } = way;
  try {
    const outcome = await (channel === 'webhook'
      ? toWebhook(by, way, news, delivery)
      : toChannel(by, way.userId, channel, news));
    return { at: by.clock(), ...outcome };
  } catch (error) {
    return { at: by.clock(), ok: false, detail: failureWords(error), status: null };
  }
}

/** @throws SecretLocked, AddressRefused, or the error of the network */
async function toChannel<N extends PushChannelName>(
  { post, mail, clock, db, vault }: Sending,
  userId: string,
  channel: N,
  news: SentNews,
): Promise<Outcome> {
  const kept = JSON.parse(await vault.read(db, pushSecretName(userId, channel))) as Kept[N];
  return CHANNELS[channel].send(kept, news, { post, mail, clock });
}

/** Those of before are written in the alphabet of addresses, which the library does not read. */
const keyOfSecret = (secret: string) => Buffer.from(secret.replace(WEBHOOK_SECRET, ''), 'base64');

/**
 * Signed as Standard Webhooks have it, so that a receiver checks it with their library.
 * @throws SecretLocked, AddressRefused, or the error of the network
 */
async function toWebhook(
  { post, clock, db, vault }: Sending,
  hook: Way,
  news: SentNews,
  delivery: string,
): Promise<Outcome> {
  const body = JSON.stringify(news);
  const now = new Date(clock());
  const { url, secret } = await webhookSecret(db, vault, hook);
  const { status } = await post(readWebhookUrl(url), body, {
    'content-type': 'application/json',
    'user-agent': 'hedge-console',
    'webhook-id': delivery,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(keyOfSecret(secret), { format: 'raw' }).sign(delivery, now, body),
  });
  return { ok: status >= 200 && status < 300, detail: `HTTP ${status}`, status };
}

/** An error of the network may carry what was sent: only its code is told. */
function failureWords(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof SecretLocked) return '保存的地址与密钥无法读取，请重新设置';
  const { name, code } = error as NodeJS.ErrnoException;
  const word = typeof code === 'string' ? code : name;
  return FAILURE_WORDS[word] ?? FAILURE_WORDS[name] ?? `连接失败（${word}）`;
}

interface WebhookSenderOptions extends Sending {
  jobs: Jobs;
  /** News that could not be delivered, and never will be; `isGone` where the host wants no more. */
  onGivenUp: (
    way: { userId: string; channel: PushTarget },
    result: Pick<WebhookResult, 'at' | 'detail'>,
    isGone: boolean,
  ) => Promise<void>;
}

const GONE = 410;
/** Whether the host itself does not work, whatever it is sent. */
const isDown = ({ status }: Delivered): boolean => status === null || status >= 500 || status === 429;

/** Does the jobs that send what is new, and those that tell whose news never arrived. */
export class WebhookSender {
  readonly #o: WebhookSenderOptions;
  /** By user and way: nothing knocks at a host that does not work before then, and after each time that it does not later. */
  readonly #quiet = new Map<string, { until: number; ms: number }>();

  constructor(options: WebhookSenderOptions) {
    this.#o = options;
    options.jobs.work('webhook', {
      atOnce: MOST_AT_ONCE,
      // One delivery of each user and way is under way, so that a host that is silent keeps nobody else waiting.
      lane: {
        of: ({ userId, channel }) => keyOf(userId, channel ?? 'webhook'),
        order: (a, b) => a.notificationId - b.notificationId,
        most: MOST_TAKEN,
      },
      run: (job) => this.#send(job),
    });
    options.jobs.work('webhook-given-up', {
      atOnce: 1,
      run: ({ data: { userId, channel = 'webhook' }, failure }) =>
        options.onGivenUp({ userId, channel }, { at: options.clock(), detail: failure ?? '原因不明' }, false),
    });
  }

  async #send({ id: delivery, data }: Job<QueueData['webhook']>): Promise<void> {
    const { db, clock } = this.#o;
    const { userId, notificationId, channel = 'webhook' } = data;
    const lane = keyOf(userId, channel);
    const quiet = this.#quiet.get(lane);
    const wait = (quiet?.until ?? 0) - clock();
    if (wait > 0) throw new NotNow(wait);
    const due = await deliveryOf(db, userId, channel, notificationId);
    if (due === null) return;
    const { id, kind, level, title, text, link, at } = due.notification;
    const news = { id: String(id), kind, level, title, text, link, at } as SentNews;
    const result = await sendNews(this.#o, due.webhook, news, delivery);
    const ms = Math.min((quiet?.ms ?? QUIET_MS / 2) * 2, LONGEST_QUIET_MS);
    if (isDown(result)) this.#quiet.set(lane, { until: result.at + ms, ms });
    else this.#quiet.delete(lane);
    await noteResult(db, { userId, channel }, result);
    if (channel === 'webhook' && result.status === GONE) return this.#end(userId, result);
    if (!result.ok) throw new JobFailed(result.detail);
  }

  async #end(userId: string, result: WebhookResult): Promise<void> {
    const { db, jobs, onGivenUp } = this.#o;
    const isNew = await db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      await dropDeliveries(tx, jobs, userId, 'webhook');
      return endWebhook(tx, { userId, channel: 'webhook' }, result.at);
    });
    if (isNew) await onGivenUp({ userId, channel: 'webhook' }, result, true);
  }
}
