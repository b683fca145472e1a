import { createHmac } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { NotificationRow, WebhookResult } from '#contract/notification';
import type { Database } from '../db/client';
import { endDelivery, noteResult, putOff, takeDue, type WebhookRow } from '../db/webhook';
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

/** Sends one piece of news to a webhook, once. @param delivery the same for every attempt at the same news. */
export async function sendNews(
  { post, clock, db, vault }: Sending,
  { url, userId }: Pick<WebhookRow, 'url' | 'userId'>,
  news: SentNews,
  delivery: string,
): Promise<WebhookResult> {
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
    const secret = await webhookSecret(db, vault, userId);
    const status = await post(readWebhookUrl(url), body, headers(secret));
    return { at: clock(), ok: status >= 200 && status < 300, detail: `HTTP ${status}` };
  } catch (error) {
    return { at: clock(), ok: false, detail: failureWords(error) };
  }
}

/** An error of the network may carry what was sent: only its code is told. */
function failureWords(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof SecretLocked) return '签名密钥无法读取，请重新设置推送地址';
  const { name, code } = error as NodeJS.ErrnoException;
  const word = typeof code === 'string' ? code : name;
  return FAILURE_WORDS[word] ?? FAILURE_WORDS[name] ?? `连接失败（${word}）`;
}

interface WebhookSenderOptions extends Sending {
  /** News that could not be delivered, and never will be. */
  onGivenUp: (userId: string, result: WebhookResult) => Promise<void>;
  onTrouble?: (what: string) => void;
}

/** Sends what is due, and again later what did not arrive. What waits is in the database. */
export class WebhookSender {
  readonly #o: WebhookSenderOptions;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(options: WebhookSenderOptions) {
    this.#o = options;
  }

  /** Slow webhooks hold up nobody: while they are waited for nothing else begins. */
  wake(): void {
    if (this.#stopped || this.#running !== undefined) return;
    this.#running = this.sendDue()
      .catch((error: Error) => this.#o.onTrouble?.(error.name))
      .finally(() => {
        this.#running = undefined;
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** One attempt at everything that is due; the news of one user go out one after another. */
  async sendDue(): Promise<void> {
    const { db, clock } = this.#o;
    const now = clock();
    const due = await takeDue(db, now, now + LEASE_MS, MOST_AT_ONCE);
    const owners = new Set(due.map(({ webhook }) => webhook.userId));
    await Promise.all(
      [...owners].map(async (userId) => {
        for (const one of due.filter(({ webhook }) => webhook.userId === userId)) await this.#send(one);
      }),
    );
  }

  async #send({ delivery, webhook, notification }: Awaited<ReturnType<typeof takeDue>>[number]): Promise<void> {
    const { db } = this.#o;
    const { id, kind, level, title, text, link, at } = notification;
    const news = { id: String(id), kind, level, title, text, link, at } as SentNews;
    const result = await sendNews(this.#o, webhook, news, delivery.id);
    const wait = BACKOFF_MS[delivery.attempts - 1];
    const isOver = result.ok || wait === undefined;
    await noteResult(db, webhook.userId, result);
    if (isOver) await endDelivery(db, delivery.id);
    else await putOff(db, delivery.id, result.at + wait);
    if (isOver && !result.ok) await this.#o.onGivenUp(webhook.userId, result);
  }
}
