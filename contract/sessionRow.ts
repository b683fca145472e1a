import { Boolean as Bool, Object as Obj, type Static, String as Str } from 'typebox';
import { Choice } from './field';
import { Instant, Maybe } from './value';

/** Where an address is, as far as the address itself says; no service is asked for a city. */
export const ORIGIN_LABEL = { loopback: '本机', private: '内网', public: '公网', unknown: '未知' } as const;
/** Why there is no city. */
export const ORIGIN_REASON = '只由 IP 本身判断本机、内网或公网；不把登录地址交给定位服务，所以没有城市';
export type Origin = keyof typeof ORIGIN_LABEL;
const Origin = Choice(ORIGIN_LABEL, '来源');

export const SessionRow = Obj({
  id: Str(),
  current: Bool(),
  address: Str(),
  origin: Origin,
  userAgent: Str(),
  device: Maybe(Str({ description: '浏览器与系统；认不出时为空' })),
  createdAt: Instant('登录时间'),
  seenAt: Instant('最近访问'),
  expiresAt: Instant('到期时间'),
});
export type SessionRow = Static<typeof SessionRow>;
