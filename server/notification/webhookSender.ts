import { createHmac } from 'node:crypto';
import { Mutex } from 'async-mutex';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { NotificationRow, WebhookResult } from '#contract/notification';
import type { Database } from '../db/client';
import {
  endDelivery,
  endWebhook,
  noteResult,
  putAllOff,
  putOff,
  takeDue,
  type WebhookRow,
} from '../db/records/webhook';
import type { Clock } from '../exchange/exchange';
import { SecretLocked, type Vault } from '../secret/vault';
import { AddressRefused, type PublicPost, readWebhookUrl } from './publicPost';
import { webhookSecret } from './webhookSecret';

/** What is sent on. */
export type SentNews = Pick<NotificationRow, 'id' | 'kind' | 'level' | 'title' | 'text' | 'link' | 'at'>;

/** Waits before each further attempt, ms; after the last one a delivery is given up. */
export const BACKOFF_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
const MOST_AT_ONCE = 20;
/** An attempt that was begun and never ended is taken up again after so long: longer than all at once can take, one after another. */
const LEASE_MS = 3 * MINUTE_MS;

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
  /** News that could not be delivered, and never will be; `isGone` where the host wants no more. */
  onGivenUp: (userId: string, result: WebhookResult, isGone: boolean) => Promise<void>;
  onTrouble?: (what: string) => void;
}

const GONE = 410;
/** Whether the host itself does not work, whatever it is sent. */
const isDown = ({ status }: Delivered): boolean => status === null || status >= 500 || status === 429;

/** Sends what is due, and again later what did not arrive. What waits is in the database. */
export class WebhookSender {
  readonly #o: WebhookSenderOptions;
  readonly #taking = new Mutex();
  /** By user: one delivery each is on its way, so that a host that is silent keeps nobody else waiting. */
  readonly #sending = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(options: WebhookSenderOptions) {
    this.#o = options;
  }

  wake(): void {
    void this.#begin();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#sending.values());
  }

  /** One attempt at everything that is due; the news of one user go out one after another. */
  async sendDue(): Promise<void> {
    await this.#begin();
    while (this.#sending.size > 0) await Promise.all(this.#sending.values());
  }

  /** Begins a delivery for each user who has one due and none on its way. */
  #begin(): Promise<void> {
    return this.#taking.runExclusive(async () => {
      const free = MOST_AT_ONCE - this.#sending.size;
      if (this.#stopped || free <= 0) return;
      const { db, clock } = this.#o;
      const now = clock();
      const busy = [...this.#sending.keys()];
      const due = await takeDue(db, { now, leaseUntil: now + LEASE_MS, most: free, busy }).catch(this.#trouble);
      for (const one of due ?? []) this.#sending.set(one.webhook.userId, this.#sendAndGoOn(one));
    });
  }

  async #sendAndGoOn(one: Due): Promise<void> {
    await this.#send(one).catch(this.#trouble);
    this.#sending.delete(one.webhook.userId);
    await this.#begin();
  }

  readonly #trouble = ({ name }: Error): undefined => {
    this.#o.onTrouble?.(name);
  };

  async #send({ delivery, webhook, notification }: Due): Promise<void> {
    const { db, onGivenUp } = this.#o;
    const { userId } = webhook;
    const { id, kind, level, title, text, link, at } = notification;
    const news = { id: String(id), kind, level, title, text, link, at } as SentNews;
    const result = await sendNews(this.#o, webhook, news, delivery.id);
    await noteResult(db, userId, result);
    if (result.status === GONE) {
      if (await endWebhook(db, userId, result.at)) await onGivenUp(userId, result, true);
      return;
    }
    const wait = BACKOFF_MS[delivery.attempts - 1];
    const isOver = result.ok || wait === undefined;
    if (isOver) await endDelivery(db, delivery.id);
    else await putOff(db, delivery.id, result.at + wait);
    if (!result.ok && isDown(result)) await putAllOff(db, userId, result.at + BACKOFF_MS[0]!);
    if (isOver && !result.ok) await onGivenUp(userId, result, false);
  }
}

type Due = Awaited<ReturnType<typeof takeDue>>[number];
