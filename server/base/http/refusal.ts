import * as REFUSALS from '#contract/codes';
import type { FieldErrors } from '#contract/envelope';

type RefusalName = keyof typeof REFUSALS;
const catalogue: Readonly<Record<RefusalName, { code: number; message: string }>> = REFUSALS;

/** An answer that is not success. Thrown by handlers, turned into an envelope by the app's one error handler. */
export class Refusal extends Error {
  constructor(
    /** HTTP status: 200 for a business refusal. */
    readonly status: number,
    /** Envelope code. */
    readonly code: number,
    message: string,
    readonly data: FieldErrors | null = null,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

const onField = (field: string | undefined, message: string): FieldErrors | null =>
  field === undefined ? null : { fields: [{ field, message }] };

/** A business refusal from the catalogue; `detail` is appended, `field` names the form field it belongs to. */
export function refused(name: RefusalName, detail = '', field?: string): Refusal {
  const { code, message } = catalogue[name];
  const text = detail === '' ? message : `${message}：${detail}`;
  return new Refusal(200, code, text, onField(field, text));
}

/** 400: one field of the request cannot be accepted. */
export const invalid = (field: string, message: string) => new Refusal(400, 400, message, onField(field, message));

export const unauthenticated = () => new Refusal(401, 401, '请先登录');
export const forbidden = (message = '你没有权限执行此操作') => new Refusal(403, 403, message);
/** 404; also for another user's record, which must not be told from a missing one. */
export const notFound = (message = '没有找到该记录') => new Refusal(404, 404, message);

/** 409: somebody saved in between. */
export const conflict = (message: string) => new Refusal(409, 409, message);

/** A longer wait is told in minutes. */
const MOST_SECONDS = 120;

/** 429 with the seconds after which a retry makes sense. */
export function tooMany(seconds: number, what = '请求过于频繁'): Refusal {
  const wait = Math.max(1, Math.ceil(seconds));
  const words = wait > MOST_SECONDS ? `${Math.ceil(wait / 60)} 分钟` : `${wait} 秒`;
  return new Refusal(429, 429, `${what}，请 ${words}后再试`, null, { 'Retry-After': String(wait) });
}
