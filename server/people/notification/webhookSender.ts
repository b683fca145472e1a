import { createHmac } from 'node:crypto';
import { MINUTE_MS } from '#contract/duration';
import type { NotificationRow, WebhookResult } from '#contract/notification';
import type { Database, Queries } from '../../base/db/client';
import { deliveriesBefore, openJobs } from '../../base/db/records/job';
import { deliveryOf, endWebhook, noteResult, type WebhookRow, webhookNews } from '../../base/db/records/webhook';
import { type Job, JobFailed, type Jobs, NotNow, type QueueData } from '../../base/jobs/jobs';
import { SecretLocked, type Vault } from '../../base/secret/vault';
import type { Clock } from '../../market/exchange';
import { AddressRefused, type PublicPost, readWebhookUrl } from './publicPost';
import { webhookSecret } from './webhookSecret';

/** Deliveries that may wait for one user, and those given up; the oldest give way. */
const MOST_WAITING = 200;

/** Sends these notifications on to the webhooks of their users, in the transaction that adds them. @returns whether there is anything to send */
export async function queueDeliveries(
  tx: Queries,
  jobs: Jobs,
  added: readonly { id: number; userId: string; kind: string }[],
): Promise<boolean> {
  const news = await webhookNews(tx, added);
  await jobs.add(
    tx,
    'webhook',
    news.map(({ id, userId }) => ({ data: { userId, notificationId: id }, key: userId })),
  );
  for (const userId of new Set(news.map((one) => one.userId))) await dropDeliveries(tx, jobs, userId, MOST_WAITING);
  return news.length > 0;
}

/** Takes away what waits for a user's webhook and what was given up, but for the newest `kept`. */
export async function dropDeliveries(tx: Queries, jobs: Jobs, userId: string, kept = 0): Promise<void> {
  await jobs.drop(tx, 'webhook', await deliveriesBefore(tx, userId, kept));
}

/** How many deliveries wait for a user. */
export const waitingDeliveries = (db: Queries, userId: string): Promise<number> => openJobs(db, 'webhook', userId);

/** What is sent on. */
export type SentNews = Pick<NotificationRow, 'id' | 'kind' | 'level' | 'title' | 'text' | 'link' | 'at'>;

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

/** HMAC-SHA256 over `timestamp.body`, hex. @param timestamp s */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

interface Sending {
  post: PublicPost;
  clock: Clock;
  db: Database;
  vault: Vault;
}

/** How a delivery ended. */
interface Delivered extends WebhookResult {
  /** Of HTTP; null where nothing was answered. */
  status: number | null;
}

/** Sends one piece of news to a webhook, once. @param delivery the same for every attempt at the same news. */
export async function sendNews(
  { post, clock, db, vault }: Sending,
  hook: Pick<WebhookRow, 'url' | 'userId'>,
  news: SentNews,
  delivery: string,
): Promise<Delivered> {
  const body = JSON.stringify(news);
  const timestamp = Math.floor(clock() / 1000);
  const headers = (secret: string) => ({
    'content-type': 'application/json',
    'user-agent': 'hedge-console',
    'x-hedge-delivery': delivery,
    'x-hedge-timestamp': String(timestamp),
    'x-hedge-signature': `v1=${signatureOf(secret, timestamp, body)}`,
  });
  try {
    const { url, secret } = await webhookSecret(db, vault, hook);
    const status = await post(readWebhookUrl(url), body, headers(secret));
    return { at: clock(), ok: status >= 200 && status < 300, detail: `HTTP ${status}`, status };
  } catch (error) {
    return { at: clock(), ok: false, detail: failureWords(error), status: null };
  }
}

/** An error of the network may carry what was sent: only its code is told. */
function failureWords(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof SecretLocked) return '推送地址与签名密钥无法读取，请重新设置';
  const { name, code } = error as NodeJS.ErrnoException;
  const word = typeof code === 'string' ? code : name;
  return FAILURE_WORDS[word] ?? FAILURE_WORDS[name] ?? `连接失败（${word}）`;
}

interface WebhookSenderOptions extends Sending {
  jobs: Jobs;
  /** News that could not be delivered, and never will be; `isGone` where the host wants no more. */
  onGivenUp: (userId: string, result: Pick<WebhookResult, 'at' | 'detail'>, isGone: boolean) => Promise<void>;
}

const GONE = 410;
/** Whether the host itself does not work, whatever it is sent. */
const isDown = ({ status }: Delivered): boolean => status === null || status >= 500 || status === 429;

/** Does the jobs that send what is new, and those that tell whose news never arrived. */
export class WebhookSender {
  readonly #o: WebhookSenderOptions;
  /** By user: nothing knocks at a host that does not work before then, and after each time that it does not later. */
  readonly #quiet = new Map<string, { until: number; ms: number }>();

  constructor(options: WebhookSenderOptions) {
    this.#o = options;
    options.jobs.work('webhook', {
      atOnce: MOST_AT_ONCE,
      // One delivery of each user is on its way, so that a host that is silent keeps nobody else waiting.
      lane: { of: ({ userId }) => userId, order: (a, b) => a.notificationId - b.notificationId, most: MOST_TAKEN },
      run: (job) => this.#send(job),
    });
    options.jobs.work('webhook-given-up', {
      atOnce: 1,
      run: ({ data, failure }) =>
        options.onGivenUp(data.userId, { at: options.clock(), detail: failure ?? '原因不明' }, false),
    });
  }

  async #send({ id: delivery, data: { userId, notificationId } }: Job<QueueData['webhook']>): Promise<void> {
    const { db, clock } = this.#o;
    const quiet = this.#quiet.get(userId);
    const wait = (quiet?.until ?? 0) - clock();
    if (wait > 0) throw new NotNow(wait);
    const due = await deliveryOf(db, userId, notificationId);
    if (due === null) return;
    const { id, kind, level, title, text, link, at } = due.notification;
    const news = { id: String(id), kind, level, title, text, link, at } as SentNews;
    const result = await sendNews(this.#o, due.webhook, news, delivery);
    const ms = Math.min((quiet?.ms ?? QUIET_MS / 2) * 2, LONGEST_QUIET_MS);
    if (isDown(result)) this.#quiet.set(userId, { until: result.at + ms, ms });
    else this.#quiet.delete(userId);
    await noteResult(db, userId, result);
    if (result.status === GONE) return this.#end(userId, result);
    if (!result.ok) throw new JobFailed(result.detail);
  }

  async #end(userId: string, result: WebhookResult): Promise<void> {
    const { db, jobs, onGivenUp } = this.#o;
    const isNew = await db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      await dropDeliveries(tx, jobs, userId);
      return endWebhook(tx, userId, result.at);
    });
    if (isNew) await onGivenUp(userId, result, true);
  }
}
