import { Array as Arr, Boolean as Bool, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { MINUTE_MS } from './duration';
import { endpoint } from './endpoint';
import { Credentials } from './session';
import { Instant, Text } from './value';

/** How long after the login, or after `prove`, a session may do what asks for a fresh proof. */
export const FRESH_MS = 10 * MINUTE_MS;

const masterFactor = Bool({ title: '管理员必须开启两步验证' });
const registration = Bool({ title: '开放注册' });

/** What masters have settled for everybody. */
export const SecuritySettings = Obj({
  masterFactor,
  registration,
  mastersWithout: Arr(Str(), { description: '还没有开启两步验证的管理员' }),
});
export type SecuritySettings = Static<typeof SecuritySettings>;

export const security = {
  prove: endpoint({
    method: 'POST',
    path: '/api/user/fresh',
    right: 'signedIn',
    tag: '用户',
    summary:
      '确认是本人：当前密码或两步验证码，二者之一；随后 10 分钟内本会话可以做需要确认的操作。刚登录的会话已经确认',
    body: Obj(
      {
        password: Optional({ ...Credentials.properties.password, title: '当前密码' }),
        code: Optional(
          Text({ title: '验证码', minLength: 1, maxLength: 32, description: '认证器的 6 位数字，或一个恢复码' }),
        ),
      },
      { additionalProperties: false },
    ),
    data: Obj({ freshUntil: Instant('到何时不再询问') }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/user/security',
    right: 'isMaster',
    tag: '用户管理',
    summary: '安全设置',
    data: SecuritySettings,
  }),
  setSettings: endpoint({
    method: 'PUT',
    path: '/api/user/security',
    right: 'isMaster',
    fresh: true,
    tag: '用户管理',
    summary: '修改安全设置：管理员必须开启两步验证，开放注册；只改给出的项',
    body: Obj(
      { masterFactor: Optional(masterFactor), registration: Optional(registration) },
      { additionalProperties: false },
    ),
    data: SecuritySettings,
  }),
};
