import { Array as Arr, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { HEDGE_STATES } from './lifecycle';
import { STRATEGY_KINDS, STRATEGY_STATES } from './strategy';
import { Instant, Maybe, OneOf, Text } from './value';

/** What is found of each kind at most. */
export const MOST_FOUND = 8;

export const Found = Obj({
  coins: Arr(Obj({ source: Str(), symbol: Str(), name: Maybe(Str({ description: '中文名' })) })),
  hedges: Arr(
    Obj({
      id: Str(),
      long: Str(),
      short: Str(),
      state: OneOf(HEDGE_STATES),
      createdAt: Instant('创建时间'),
      user: Str({ description: '所属用户' }),
    }),
  ),
  strategies: Arr(
    Obj({ id: Str(), kind: OneOf(STRATEGY_KINDS), name: Str(), state: OneOf(STRATEGY_STATES), user: Str() }),
    { description: '仅管理员' },
  ),
  users: Arr(Obj({ id: Str(), name: Str(), role: Str() }), { description: '仅管理员' }),
});
export type Found = Static<typeof Found>;

export const search = {
  everything: endpoint({
    method: 'GET',
    path: '/api/search',
    right: 'signedIn',
    tag: '搜索',
    summary: `按文字找币种、对冲单（币种或编号）、策略与用户，各 ${MOST_FOUND} 条；他人的对冲单与用户仅管理员可见`,
    query: Obj({ text: Text({ title: '文字', minLength: 1, maxLength: 64, description: '首尾空白不计' }) }),
    data: Found,
  }),
};
