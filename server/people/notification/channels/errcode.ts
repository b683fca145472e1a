import { wordOf } from './channel';

/** Reads what robots of 钉钉 and 企业微信 answer: 200 whatever came of it, and `errcode` 0 when the message was taken. */
export const readErrcode =
  (tooMany: number) =>
  ({ errcode, errmsg }: Record<string, unknown>) =>
    typeof errcode !== 'number'
      ? undefined
      : { ok: errcode === 0, code: errcode, message: wordOf(errmsg), isBusy: errcode === tooMany };
