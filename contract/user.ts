import { Boolean as Bool, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { Instant, Maybe, OneOf } from './value';

export const User = Obj({
  id: Str(),
  name: Str(),
  role: Str({ description: 'master、editor 或 user；未知角色只有登录权限' }),
  createdAt: Instant('创建时间'),
  demo: Bool({ description: '是否为演示账户' }),
  binanceId: Maybe(Str({ description: '币安 UID' })),
});
export type User = Static<typeof User>;

/** Which colour a rise has: green (绿涨红跌) or red (红涨绿跌). */
export const RISES = ['green', 'red'] as const;
export type Rise = (typeof RISES)[number];

/**
 * How amounts of money are written: large ones shortened and accounts in full (auto), every one from 10,000 on shortened
 * with 万 and 亿 (compact), or every one in full with thousands separated.
 */
export const NUMBER_STYLES = ['auto', 'compact', 'thousands'] as const;
export type NumberStyle = (typeof NUMBER_STYLES)[number];

/** Time zones to read times in, by their IANA names; `local` is that of each browser. */
export const TIME_ZONES = [
  'local',
  'UTC',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Asia/Dubai',
  'Europe/London',
  'Europe/Zurich',
  'America/New_York',
  'America/Los_Angeles',
] as const;
export type TimeZone = (typeof TIME_ZONES)[number];

const rise = OneOf(RISES, { title: '涨跌颜色' });
const numbers = OneOf(NUMBER_STYLES, { title: '金额写法' });
const timeZone = OneOf(TIME_ZONES, { title: '时区' });

/** What a user has chosen for every browser; null where nothing was chosen, and each browser keeps its own. */
export const Preference = Obj({ rise: Maybe(rise), numbers: Maybe(numbers), timeZone: Maybe(timeZone) });
export type Preference = Static<typeof Preference>;

/** The signed-in user, with what the console needs before it shows its first page. */
export const CurrentUser = Obj({
  ...User.properties,
  preference: Preference,
  testnet: Optional(Bool({ description: '实盘账户与委托在交易所的测试网，没有真钱' })),
  factorNeeded: Optional(Bool({ description: '管理员还没有开启要求的两步验证：此前不能做别的' })),
  viewer: Maybe(Str({ description: '正在以该用户的身份只读查看的管理员；本人登录时为空' })),
});
export type CurrentUser = Static<typeof CurrentUser>;

export const user = {
  current: endpoint({
    method: 'GET',
    path: '/api/user',
    right: 'signedIn',
    tag: '用户',
    summary: '当前用户与角色；启动时读取一次',
    data: CurrentUser,
  }),
  preference: endpoint({
    method: 'GET',
    path: '/api/user/preference',
    right: 'signedIn',
    tag: '用户',
    summary: '本人的显示偏好',
    data: Preference,
  }),
  setPreference: endpoint({
    method: 'PUT',
    path: '/api/user/preference',
    right: 'signedIn',
    tag: '用户',
    summary: '修改本人的显示偏好；只改给出的项',
    body: Obj(
      { rise: Optional(rise), numbers: Optional(numbers), timeZone: Optional(timeZone) },
      { additionalProperties: false },
    ),
    data: Preference,
  }),
  binanceId: endpoint({
    method: 'PUT',
    path: '/api/user/binanceId',
    right: 'signedIn',
    tag: '用户',
    summary: '绑定自己的币安 UID',
    body: Obj(
      { binanceId: Str({ title: '币安 UID', pattern: '^[0-9]{4,20}$', description: '4 到 20 位数字' }) },
      { additionalProperties: false },
    ),
    data: Obj({ binanceId: Str() }),
  }),
};
