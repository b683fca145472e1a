import { Integer, Null, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { listOf } from './list';
import { SessionRow } from './sessionRow';
import { Text } from './value';

export const Credentials = Obj(
  {
    username: Text({ title: '用户名', minLength: 1, maxLength: 64, description: '首尾空白不计' }),
    password: Text({ title: '密码', minLength: 1, maxLength: 200 }),
    code: Optional(
      Text({ title: '验证码', minLength: 1, maxLength: 32, description: '开启两步验证后需要；也可用恢复码' }),
    ),
  },
  { additionalProperties: false },
);
export type Credentials = Static<typeof Credentials>;

export const Registration = Obj(
  {
    username: Str({
      title: '用户名',
      minLength: 3,
      maxLength: 32,
      pattern: '^[\\p{L}\\p{N}_.-]+$',
      description: '3-32 个字符：文字、数字、下划线、点、连字符',
    }),
    password: Text({ title: '密码', minLength: 10, maxLength: 200 }),
  },
  { additionalProperties: false },
);
export type Registration = Static<typeof Registration>;

const plainly = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a password holds the user's name, whatever its case and however it was typed. */
export const containsName = (password: string, username: string): boolean =>
  username !== '' && plainly(password).includes(plainly(username));

export const session = {
  login: endpoint({
    method: 'POST',
    path: '/api/login',
    right: 'open',
    tag: '会话',
    summary: '登录；成功后控制台前往 callback。每次尝试都在登录记录里',
    code: 201,
    audited: false,
    body: Credentials,
    data: Null(),
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/register',
    right: 'open',
    tag: '会话',
    summary: '注册并登录；角色总是 user',
    code: 201,
    body: Registration,
    data: Null(),
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/logout',
    right: 'open',
    tag: '会话',
    summary: '退出登录；会话随即失效',
    data: Null(),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/user/session',
    right: 'signedIn',
    tag: '会话',
    summary: '本人的登录会话',
    data: listOf(SessionRow),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/user/session',
    right: 'signedIn',
    tag: '会话',
    summary: '退出一个设备；不给 id 则退出其他全部设备',
    body: Obj({ id: Optional(Text({ title: '会话', maxLength: 64 })) }, { additionalProperties: false }),
    data: Obj({ revoked: Integer() }),
  }),
};
