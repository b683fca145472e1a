import type { Static, TObject } from 'typebox';
import type { NotificationRow } from '#contract/notification';
import type { PUSH_FIELDS, PushChannelName } from '#contract/pushChannel';
import type { Clock } from '../../../market/exchange';
import type { PublicMail } from '../publicMail';
import { AddressRefused, type PublicPost, readWebhookUrl } from '../publicPost';

/** What is sent on. */
export type SentNews = Pick<NotificationRow, 'id' | 'kind' | 'level' | 'title' | 'text' | 'link' | 'at'>;

/** What a channel is set up with. */
export type Kept = { [K in PushChannelName]: Static<TObject<(typeof PUSH_FIELDS)[K]>> };

/** How one attempt ended, the time apart. */
export interface Outcome {
  ok: boolean;
  /** For the owner: never what is secret. */
  detail: string;
  /** Of HTTP, or what stands for it: null, 429 and 500 on say that the host does not work now. */
  status: number | null;
}

export interface Sending {
  post: PublicPost;
  mail: PublicMail;
  clock: Clock;
}

/** One way out of the console: an adapter each. */
export interface Channel<N extends PushChannelName> {
  /** What is kept of what somebody typed. @throws FieldRefused */
  read(given: Kept[N]): Kept[N];
  /** Where it leads, without what is secret. */
  shown(kept: Kept[N]): string;
  send(kept: Kept[N], news: SentNews, by: Sending): Promise<Outcome>;
}

/** Why a field of a channel cannot be accepted, for its owner. */
export class FieldRefused extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
    this.name = 'FieldRefused';
  }
}

const APP = '对冲控制台';
const LEVEL: Record<SentNews['level'], string> = { info: '', warning: '注意：', error: '需要处理：' };
/** What the shortest of the channels takes is 2048 bytes. */
const MOST_CHARACTERS = 500;

const cut = (text: string): string => {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
};

/** What happened in one line. */
export const headOf = ({ level, title }: SentNews): string => `【${APP}】${LEVEL[level]}${title}`;

/** News as plain text; the time because a message may be late. */
export const textOf = (news: SentNews): string =>
  `${headOf(news)}\n${cut(news.text)}\n${new Date(news.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'hedge-console' };
/** A robot says in a line whether it has taken the message. */
const MOST_ANSWERED = 4_096;
const MOST_TOLD = 120;

interface Said {
  /** Whether the message was taken. */
  ok: boolean;
  code: number | string;
  message: string | undefined;
  /** It has taken too many in a short time. */
  isBusy: boolean;
}

/** Posts to a robot that answers 200 whatever came of it, and says in its answer what did. @param read its answer; undefined where it is none */
export async function askRobot(
  post: PublicPost,
  url: URL,
  body: object,
  read: (answer: Record<string, unknown>) => Said | undefined,
): Promise<Outcome> {
  const { status, text } = await post(url, JSON.stringify(body), JSON_HEADERS, MOST_ANSWERED);
  const said = read(objectOf(text));
  if (said === undefined) return { ok: false, detail: `HTTP ${status}，答复无法识别`, status };
  if (said.ok && status >= 200 && status < 300) return { ok: true, detail: `HTTP ${status}`, status };
  const words = said.message === undefined ? '' : `：${said.message.slice(0, MOST_TOLD)}`;
  return { ok: false, detail: `错误 ${said.code}${words}`, status: said.isBusy ? 429 : status };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export const wordOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** An address of one of these hosts and under this path, with what must be in it. @throws FieldRefused at `url` */
export function readRobotUrl(
  text: string,
  { hosts, path, query }: { hosts: string[]; path: string; query?: string },
): URL {
  const url = publicUrl(text, 'url');
  const isComplete = query === undefined ? url.pathname.length > path.length : !!url.searchParams.get(query);
  if (!hosts.includes(url.hostname) || !url.pathname.startsWith(path) || !isComplete) {
    const rest = query === undefined ? '…' : `?${query}=…`;
    throw new FieldRefused('url', `应形如 https://${hosts[0]}${path}${rest}，从机器人的设置里复制`);
  }
  return url;
}

/** @throws FieldRefused */
export function publicUrl(text: string, field: string): URL {
  try {
    return readWebhookUrl(text.trim());
  } catch (error) {
    if (error instanceof AddressRefused) throw new FieldRefused(field, error.message);
    throw error;
  }
}
