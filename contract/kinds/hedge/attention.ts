import { Boolean as Bool, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from '../../endpoint';
import { HEDGE_STATES } from '../../lifecycle';
import { listOf } from '../../list';
import { Instant, Maybe, OneOf } from '../../value';

/** A running hedge that needs a person. */
export const AttentionRow = Obj({
  id: Str(),
  userId: Str(),
  user: Str(),
  /** The user may not sign in any more; the hedges run on. */
  blocked: Bool(),
  source: Str(),
  long: Str(),
  short: Str(),
  state: OneOf(HEDGE_STATES),
  /** Why nothing more is sent, in Chinese. */
  frozen: Maybe(Str()),
  /** The long leg holds a short position, or the other way round. */
  wrongSide: Bool(),
  notional: Num({ description: 'USDT，两边开仓名义之和' }),
  net: Maybe(Num({ description: 'USDT，F11；没有标记价时为空' })),
  createdAt: Instant('创建时间'),
  stateAt: Instant('状态时间'),
});
export type AttentionRow = Static<typeof AttentionRow>;

/** Apart from what the desk asks for: other screens ask for this alone. */
export const attention = endpoint({
  method: 'GET',
  path: '/api/hedge/attention',
  right: 'isMaster',
  tag: '对冲',
  summary: '所有用户中需要处理的对冲单：已冻结、方向有误、用户已停用',
  data: listOf(AttentionRow),
});
