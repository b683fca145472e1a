import { Boolean as Bool, Object as Obj, type Static, String as Str } from 'typebox';
import { TARGET_HOLDS } from './lifecycle';
import { Instant, Maybe, OneOf } from './value';

/** Why a target is opened by nobody but a person, since when, and who put it so; null while it may be opened. */
export const HeldTarget = Maybe(
  Obj({
    hold: OneOf(TARGET_HOLDS, { title: '停用', description: 'closed 已手动平仓，confirm 待确认' }),
    at: Instant('停用时间'),
    by: Maybe(Str({ description: '谁；撤销建仓的为空' })),
  }),
);
export type HeldTarget = Static<typeof HeldTarget>;

/** Whether what a closed deal was opened for may be opened again by itself. */
export const KeepArmed = Bool({ title: '平掉后继续', description: '为 true 时不停用，符合条件仍会再开' });
