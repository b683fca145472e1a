import { Boolean as Bool, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { Instant, Maybe } from './value';

export const User = Obj({
  id: Str(),
  name: Str(),
  role: Str({ description: 'master、editor 或 user；未知角色只有登录权限' }),
  createdAt: Instant('创建时间'),
  demo: Bool({ description: '是否为演示账户' }),
  binanceId: Maybe(Str({ description: '交易所账户编号' })),
});
export type User = Static<typeof User>;

export const user = {
  current: endpoint({
    method: 'GET',
    path: '/api/user',
    right: 'signedIn',
    tag: '用户',
    summary: '当前用户与角色；启动时读取一次',
    data: User,
  }),
  binanceId: endpoint({
    method: 'PUT',
    path: '/api/user/binanceId',
    right: 'signedIn',
    tag: '用户',
    summary: '绑定自己的币安账户编号',
    body: Obj(
      { binanceId: Str({ title: '币安账户编号', pattern: '^[0-9]{4,20}$', description: '4 到 20 位数字' }) },
      { additionalProperties: false },
    ),
    data: Obj({ binanceId: Str() }),
  }),
};
