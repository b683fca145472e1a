import type { AxiosError, AxiosResponse, RequestConfig } from '@umijs/max';
import * as REFUSALS from '#contract/codes';
import type { Envelope, FieldErrors } from '#contract/envelope';
import { CallError } from './CallError';
import { safeCallback, withCallback } from './callback';
import { contact } from './contact';
import { worded } from './modeLabel';

export const TIMEOUT_MS = 10_000;

/** What the console does about an answer; the wiring in `app.tsx` says how. */
export interface Reactions {
  /** Shows an error, one at a time for each distinct text. */
  complain(text: string): void;
  /** The account is known now: load it and go to `path`. */
  arrive(path: string): void;
  /** The session is gone; `path` is where to sign in, absent where a visitor may stay. */
  leave(path: string | undefined): void;
  /** The account may do nothing before something is set up; loading it again tells what. */
  lead(): void;
  /** Where the person is, and whether a visitor may be there. */
  here(): { pathname: string; search: string; open: boolean };
}

/** Options of one request that the reactions heed. */
export interface Quietness {
  /** Whether an error gets no toast. */
  quiet?: (error: CallError) => boolean;
}

/** What to do about a failure without a body, by axios' error code. */
const ADVICE: Record<string, string> = {
  ECONNABORTED: '请求超时，请检查网络后重试',
  ETIMEDOUT: '请求超时，请检查网络后重试',
  ERR_NETWORK: '无法连接服务器，请检查网络后重试',
};

function adviceForStatus(status: number): string {
  if (status === 413) return '提交的内容过大，请精简后重试';
  if (status === 429) return '请求过于频繁，请稍后重试';
  if (status >= 500) return '服务器暂时无法处理请求，请稍后重试';
  if (status >= 400) return '请求未被接受，请刷新页面后重试';
  return '服务器返回了无法识别的内容，请刷新页面重试';
}

function isEnvelope(body: unknown): body is Envelope {
  if (typeof body !== 'object' || body === null) return false;
  const { code, message } = body as Partial<Envelope>;
  return typeof code === 'number' && typeof message === 'string';
}

const fieldsOf = (body: Envelope): FieldErrors['fields'] => {
  const fields = (body.data as Partial<FieldErrors> | null)?.fields;
  return Array.isArray(fields) ? fields.map((one) => ({ ...one, message: worded(one.message) })) : [];
};

function retryAfterOf(response: AxiosResponse): number | undefined {
  const seconds = Number(response.headers?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** The error that an answer stands for; `failed` says that the request itself did. */
function errorOf(response: AxiosResponse, failed: boolean): CallError {
  const body: unknown = response.data;
  if (!isEnvelope(body)) return new CallError(response.status, adviceForStatus(response.status), [], true);
  return new CallError(body.code, worded(body.message), fieldsOf(body), failed, retryAfterOf(response));
}

/** Only the server speaks in envelopes: what is none comes from something before it. */
const hear = ({ data }: AxiosResponse): void => (isEnvelope(data) ? contact.answered() : contact.failed());

/** Any rejection of a request as the one kind of error that the console knows. */
export function callErrorOf(error: unknown): CallError {
  if (error instanceof CallError) return error;
  const { response, code } = error as AxiosError;
  if (response) {
    hear(response);
    return errorOf(response, true);
  }
  const name = code ?? 'ERR_UNKNOWN';
  if (name !== 'ERR_CANCELED') contact.failed();
  return new CallError(name, ADVICE[name] ?? '请求没有完成，请重试', [], true);
}

/** Not signed in: to the sign-in page and back, but never out of a page that is open to visitors. */
function signIn(reactions: Reactions): void {
  const { pathname, search, open } = reactions.here();
  reactions.leave(open ? undefined : withCallback('/login', `${pathname}${search}`));
}

function react(error: CallError, reactions: Reactions, { quiet = () => false }: Quietness): void {
  if (error.code === 'ERR_CANCELED') return;
  if (error.code === 401) {
    const { open } = reactions.here();
    signIn(reactions);
    // Where nobody is sent away, a refused click must still say something.
    if (open && !quiet(error)) reactions.complain(error.message);
    return;
  }
  if (error.code === REFUSALS.masterFactorNeeded.code) {
    reactions.lead();
    return;
  }
  // The dialog that asks for the proof says what for.
  if (error.code === REFUSALS.freshNeeded.code) return;
  if (!quiet(error)) reactions.complain(error.text);
}

/**
 * Umi's request configuration that keeps the envelope's rules: 200 passes on, 201 arrives at the
 * `callback`, 401 signs in, any other code and any failed request complains. Every rejection is a
 * `CallError` that has been shown already, unless the request was quiet about it.
 */
export function envelopeConfig(reactions: Reactions): RequestConfig {
  return {
    timeout: TIMEOUT_MS,
    withCredentials: true,
    responseInterceptors: [
      (response) => {
        const body: unknown = response.data;
        hear(response);
        if (!isEnvelope(body)) throw errorOf(response, true);
        if (body.code === 201) {
          const { search } = reactions.here();
          reactions.arrive(safeCallback(new URLSearchParams(search).get('callback')));
        } else if (body.code !== 200) {
          throw errorOf(response, false);
        }
        return response;
      },
    ],
    errorConfig: {
      // What is thrown here is what the caller's promise rejects with.
      errorHandler: (rejection, options) => {
        const error = callErrorOf(rejection);
        react(error, reactions, options as Quietness);
        throw error;
      },
    },
  };
}
