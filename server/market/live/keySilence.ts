import { SECOND_MS } from '#contract/duration';
import type { KeySilence } from '../keyCheck';
import { type Code, OWN_ANSWER_MS, troubleOf } from './ownClient';

/** Why an exchange does not let somebody in, by its code. */
export type Rejections = Readonly<Record<Code, string>>;

/** What came instead of an answer to a question about a key. */
export function silenceOf(error: unknown, rejections: Rejections): KeySilence {
  const { code, isTooOften } = troubleOf(error);
  const reason = code === null ? undefined : rejections[code];
  if (reason !== undefined) return { outcome: 'rejected', reason };
  if (isTooOften) return { outcome: 'unanswered', reason: '请求过多，交易所要求稍后再问' };
  const seconds = OWN_ANSWER_MS / SECOND_MS;
  return {
    outcome: 'unanswered',
    reason: code === null ? `连接不上，或 ${seconds} 秒内没有回答` : `交易所此时不能回答（错误 ${code}）`,
  };
}
