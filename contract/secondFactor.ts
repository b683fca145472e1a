import { Array as Arr, Boolean as Bool, Integer, Null, Object as Obj, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { Credentials } from './session';
import { Instant, Maybe, Text } from './value';

const password = { ...Credentials.properties.password, title: '当前密码' };
const code = Text({ title: '验证码', minLength: 1, maxLength: 32, description: '认证器的 6 位数字，或一个恢复码' });
const Recovery = Obj({ recoveryCodes: Arr(Str(), { description: '只出现这一次；每个可用一次' }) });

/** The second factor of one's own account: a code by time (TOTP), and codes for the day the phone is lost. */
export const secondFactor = {
  state: endpoint({
    method: 'GET',
    path: '/api/user/secondFactor',
    right: 'signedIn',
    tag: '用户',
    summary: '本人的两步验证',
    data: Obj({
      enabledAt: Maybe(Instant('开启时间')),
      recoveryLeft: Integer({ description: '还没有用过的恢复码' }),
      isDamaged: Bool({ description: '保存的密钥已损坏：只有恢复码还能用，要关闭后重新设置' }),
    }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/user/secondFactor',
    right: 'signedIn',
    tag: '用户',
    summary: '开始开启两步验证：密钥只出现这一次，确认之前不起作用',
    body: Obj({ password }, { additionalProperties: false }),
    data: Obj({
      secret: Str({ description: 'Base32' }),
      uri: Str({ description: 'otpauth://，供认证器扫码' }),
      expiresAt: Instant('到期时间'),
    }),
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/api/user/secondFactor',
    right: 'signedIn',
    tag: '用户',
    summary: '用认证器的验证码确认并开启两步验证；其他设备随即退出',
    body: Obj(
      { code: Text({ title: '验证码', minLength: 1, maxLength: 16, description: '认证器的 6 位数字' }) },
      { additionalProperties: false },
    ),
    data: Recovery,
  }),
  renew: endpoint({
    method: 'POST',
    path: '/api/user/secondFactor/recovery',
    right: 'signedIn',
    tag: '用户',
    summary: '换一组恢复码；旧的随即失效',
    body: Obj({ password, code }, { additionalProperties: false }),
    data: Recovery,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/secondFactor',
    right: 'signedIn',
    tag: '用户',
    summary: '关闭两步验证',
    body: Obj({ password, code }, { additionalProperties: false }),
    data: Null(),
  }),
};
