import { Boolean as Bool, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { Instant } from './value';

/** A switch that keeps entries out: who put it, when and why. */
export const Pause = Obj({ at: Instant('暂停时间'), by: Str(), reason: Str() });
export type Pause = Static<typeof Pause>;

/** A day of a trading account; it may be longer than 24 hours where its boundary was moved within it. */
export const LimitedDay = Obj({ start: Instant('当日开始'), end: Instant('当日结束，不含') });

/** Nothing that a limit has stopped goes on because the limit was raised, unless that is asked for. */
export const ResumeWithLimit = Optional(Bool({ title: '提高上限时一并恢复' }));
