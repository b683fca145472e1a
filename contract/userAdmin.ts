import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Null,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { RIGHTS, ROLE_LABEL } from './access';
import { endpoint } from './endpoint';
import { At, Choice, ChoiceFilter, Count, Gain, MaybeWord, Moment, shown, Word, YesNo } from './field';
import { listOf, listQuery } from './list';
import { Registration } from './session';
import { ORIGIN_LABEL, ORIGIN_REASON, SessionRow } from './sessionRow';
import { User } from './user';
import { Instant, Labelled, Maybe, OneOf, Text } from './value';

const UserId = Text({ title: '用户', minLength: 1, maxLength: 64 });
const FromWhere = Choice(ORIGIN_LABEL, '来源', { first: null, text: ORIGIN_REASON });
const Role = Labelled(ROLE_LABEL, { title: '角色' });

/** `pending`: a one-time code was given out and no password is set yet. */
export const USER_STATUS_LABEL = { active: '正常', pending: '待设密码', blocked: '已停用' } as const;
export type UserStatus = keyof typeof USER_STATUS_LABEL;

const unsorted = { first: null } as const;
const NO_ACCOUNT = '没有账户，或还没有记录';

/** A user as a master sees it. */
export const UserRow = Obj({
  id: Str(),
  name: Word('用户名'),
  role: shown(Str({ description: 'master、editor 或 user；未知角色只有登录权限' }), '角色', { form: 'word' }),
  status: Choice(USER_STATUS_LABEL, '状态'),
  secondFactor: YesNo('已开启', '未开启', '两步验证', unsorted),
  binanceId: MaybeWord('币安账户', unsorted),
  hedging: shown(Maybe(Bool()), '对冲开关', {
    ...{ form: 'choice', labels: { true: '已启用', false: '已停用' } },
    ...{ first: null, text: '空：还没有对冲配置' },
  }),
  paused: Bool({ description: '已暂停开仓，所有策略，也因单日最大亏损' }),
  hedges: Count('进行中', '进行中的对冲单', { text: '进行中的对冲单' }),
  apiKeys: Count('API 密钥', 'API 密钥'),
  equity: shown(Maybe(Num()), '权益', {
    form: 'figure',
    missing: NO_ACCOUNT,
    text: 'USDT，最近一次记录，各模拟账户之和；实盘另列',
  }),
  pnl30d: Gain('30 日盈亏', {
    missing: NO_ACCOUNT,
    formula: '权益变化 − 划转',
    window: '近 30 日；不足时自开户起',
    text: '模拟账户；实盘另列',
  }),
  liveEquity: Maybe(Num({ description: '实盘账户的权益，USDT；没有的为空' })),
  livePnl30d: Maybe(Num({ description: '实盘账户的 30 日盈亏，USDT；没有的为空' })),
  sessions: Count('会话', '现有的登录会话'),
  lastLoginAt: Moment('最近登录', { missing: '还没有登录过' }),
  lastLoginAddress: MaybeWord('登录 IP', unsorted),
  lastLoginDevice: MaybeWord('登录设备', unsorted),
  createdAt: At('创建时间'),
  demo: User.properties.demo,
});
export type UserRow = Static<typeof UserRow>;

/** What a master should notice of all users. */
export const UserCounters = Obj({
  active24h: Integer({ description: '近 24 小时有访问的用户' }),
  failedLogins24h: Integer({ description: '近 24 小时失败的登录' }),
  keysExpiring: Integer({ description: '14 天内到期的 API 密钥，含已到期' }),
  ownerless: Integer({ description: '所属用户已停用的进行中对冲单' }),
});
export type UserCounters = Static<typeof UserCounters>;

/** Shown once to the master, who hands it to the user. */
export const OneTimeCode = Obj({
  userId: Str(),
  username: Str(),
  code: Str({ description: '只出现这一次' }),
  expiresAt: Instant('到期时间'),
});
export type OneTimeCode = Static<typeof OneTimeCode>;

export const UserSession = Obj({
  id: Str(),
  current: SessionRow.properties.current,
  userId: Str(),
  userAgent: Str(),
  user: Word('用户'),
  role: Word('角色', unsorted),
  device: MaybeWord('设备', unsorted),
  address: Word('IP', unsorted),
  origin: FromWhere,
  createdAt: At('登录时间'),
  seenAt: At('最近访问'),
  expiresAt: At('到期时间', { first: null, text: '不再访问时' }),
});
export type UserSession = Static<typeof UserSession>;

export const LOGIN_RESULT_LABEL = { ok: '成功', refused: '被拒绝', locked: '锁定中' } as const;
export type LoginResult = keyof typeof LOGIN_RESULT_LABEL;

/** Why an attempt ended as it did; `codeAsked` is the first half of a login with two steps, which is no failure. */
export const LOGIN_REASON_LABEL = {
  password: '密码正确',
  recoveryCode: '密码与恢复码正确，恢复码已用掉',
  registered: '注册',
  unknownName: '没有这个用户',
  wrongPassword: '密码错误',
  noPassword: '还没有设置密码',
  blocked: '账户已停用',
  codeAsked: '等待两步验证码',
  wrongCode: '验证码错误',
  oneTimeCode: '用一次性代码设置密码',
  wrongOneTimeCode: '一次性代码错误',
  tooMany: '失败过多或过于拥挤',
} as const;
export type LoginReason = keyof typeof LOGIN_REASON_LABEL;

export const LoginAttempt = Obj({
  id: Str(),
  userId: Maybe(Str()),
  at: At('时间', { seconds: true }),
  /** Of who is no user only the beginning: people type passwords there. */
  user: Word('用户', unsorted),
  result: Choice(LOGIN_RESULT_LABEL, '结果', unsorted),
  reason: Choice(LOGIN_REASON_LABEL, '原因', unsorted),
  times: Count('次数', '', {
    ...{ first: null, text: '一小时内来自同一地址、同一用户、同一原因的拒绝合为一行，时间是最后一次' },
  }),
  address: Word('IP', unsorted),
  origin: FromWhere,
  device: MaybeWord('设备', unsorted),
  firstAt: Maybe(Instant('合为一行的第一次')),
});
export type LoginAttempt = Static<typeof LoginAttempt>;

/** What is counted: one name from one address, an address, a name from anywhere, registrations, guesses at one's own password or code. */
export const LOCK_KINDS = ['pair', 'address', 'name', 'register', 'password', 'code'] as const;

export const LoginLock = Obj({
  id: Str(),
  kind: OneOf(LOCK_KINDS),
  user: Maybe(Str({ description: '没有这个用户时只留开头' })),
  address: Maybe(Str()),
  failures: Integer(),
  firstAt: Instant('第一次失败'),
  lockedUntil: Maybe(Instant('锁定到；为空时只是每次要多等一会儿')),
});
export type LoginLock = Static<typeof LoginLock>;

export const AccessTable = Obj({
  endpoints: Arr(
    Obj({
      method: Str(),
      path: Str(),
      tag: Str(),
      summary: Str(),
      right: OneOf(RIGHTS),
    }),
  ),
});
export type AccessTable = Static<typeof AccessTable>;

/** What a master does with the users. */
export const userAdmin = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/list',
    expensive: true,
    right: 'isMaster',
    tag: '用户管理',
    summary: '全部用户与计数',
    query: Obj({
      ...listQuery(50),
      search: Optional(Text({ title: '搜索', minLength: 1, maxLength: 64, description: '用户名或币安 UID 的一部分' })),
      role: Optional(Role),
      status: ChoiceFilter(USER_STATUS_LABEL, '状态'),
    }),
    data: Obj({ list: Arr(UserRow), total: Integer(), counters: UserCounters }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user',
    right: 'isMaster',
    fresh: true,
    tag: '用户管理',
    summary: '创建用户；用一次性代码设置密码后才能登录',
    body: Obj({ username: Registration.properties.username, role: Role }, { additionalProperties: false }),
    data: OneTimeCode,
  }),
  role: endpoint({
    method: 'PUT',
    path: '/api/user/role',
    right: 'isMaster',
    fresh: true,
    tag: '用户管理',
    summary: '改变用户的角色；最后一个管理员不能降级',
    body: Obj({ userId: UserId, role: Role }, { additionalProperties: false }),
    data: Obj({ userId: Str(), role: Str() }),
  }),
  status: endpoint({
    method: 'PUT',
    path: '/api/user/status',
    right: 'isMaster',
    tag: '用户管理',
    summary: '停用或恢复用户；停用即退出其全部设备、不再开新仓，未平的对冲继续管理',
    body: Obj({ userId: UserId, blocked: Bool({ title: '停用' }) }, { additionalProperties: false }),
    data: Obj({ userId: Str(), blocked: Bool() }),
  }),
  hedging: endpoint({
    method: 'PUT',
    path: '/api/user/hedging',
    right: 'isMaster',
    tag: '用户管理',
    summary: '为用户启用或停用对冲；停用后不再开新仓，未平的对冲继续管理',
    body: Obj({ userId: UserId, enabled: Bool({ title: '启用' }) }, { additionalProperties: false }),
    data: Obj({ userId: Str(), enabled: Bool(), running: Integer({ description: '进行中的对冲单' }) }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/user/password/reset',
    right: 'isMaster',
    fresh: true,
    tag: '用户管理',
    summary: '重置用户的密码：旧密码与全部会话随即失效，用一次性代码设置新密码',
    body: Obj(
      { userId: UserId, removeSecondFactor: Optional(Bool({ title: '同时关闭两步验证' })) },
      { additionalProperties: false },
    ),
    data: OneTimeCode,
  }),
  view: endpoint({
    method: 'POST',
    path: '/api/user/view',
    right: 'isMaster',
    tag: '用户管理',
    summary: '以用户的身份只读查看：本会话看到该用户所见，任何写操作都被拒绝，直到退出查看',
    body: Obj({ userId: UserId }, { additionalProperties: false }),
    data: Obj({ userId: Str(), name: Str() }),
  }),
  leaveView: endpoint({
    method: 'DELETE',
    path: '/api/user/view',
    right: 'signedIn',
    tag: '用户管理',
    summary: '退出以用户身份的查看，回到本人',
    data: Null(),
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/user/session/all',
    right: 'isMaster',
    tag: '用户管理',
    summary: '所有用户的登录会话',
    query: Obj({ ...listQuery(50), userId: Optional(UserId) }),
    data: listOf(UserSession),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/user/session/all',
    right: 'isMaster',
    tag: '用户管理',
    summary: '退出设备：给出 id 则一个，给出 userId 则该用户的全部；自己现在的会话除外',
    body: Obj(
      { id: Optional(Text({ title: '会话', minLength: 1, maxLength: 64 })), userId: Optional(UserId) },
      { additionalProperties: false },
    ),
    data: Obj({ revoked: Integer() }),
  }),
  attempts: endpoint({
    method: 'GET',
    path: '/api/user/loginAttempt',
    expensive: true,
    right: 'isMaster',
    tag: '用户管理',
    summary: '登录记录，新的在前；更早的记录 180 天后删除',
    query: Obj({
      ...listQuery(50),
      userId: Optional(UserId),
      address: Optional(Text({ title: 'IP', minLength: 1, maxLength: 64 })),
      result: ChoiceFilter(LOGIN_RESULT_LABEL, '结果'),
      start: Optional(Instant('开始')),
      end: Optional(Instant('结束')),
    }),
    data: listOf(LoginAttempt),
  }),
  locks: endpoint({
    method: 'GET',
    path: '/api/user/lock',
    right: 'isMaster',
    tag: '用户管理',
    summary: '因失败过多而锁定或变慢的登录',
    data: listOf(LoginLock),
  }),
  unlock: endpoint({
    method: 'DELETE',
    path: '/api/user/lock',
    right: 'isMaster',
    tag: '用户管理',
    summary: '解除一个登录锁定',
    body: Obj({ id: Text({ title: '锁定', minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    data: Obj({ id: Str() }),
  }),
  access: endpoint({
    method: 'GET',
    path: '/api/user/access',
    right: 'isMaster',
    tag: '用户管理',
    summary: '每个接口要求的权限，即服务器据以拒绝的那张表',
    data: AccessTable,
  }),
};
