import { Integer, Null, Object as Obj } from 'typebox';
import { endpoint } from './endpoint';
import { Credentials, Registration } from './session';
import { Text } from './value';

const { username, password: current } = Credentials.properties;
const next = { ...Registration.properties.password, title: '新密码' };

export const password = {
  change: endpoint({
    method: 'PUT',
    path: '/api/user/password',
    right: 'signedIn',
    tag: '用户',
    summary: '修改本人的密码；其他设备随即退出',
    body: Obj({ password: { ...current, title: '当前密码' }, newPassword: next }, { additionalProperties: false }),
    data: Obj({ revoked: Integer({ description: '退出的其他设备' }) }),
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/password/redeem',
    right: 'open',
    tag: '用户',
    summary: '用管理员给的一次性代码设置新密码；随后用它登录',
    body: Obj(
      {
        username,
        code: Text({ title: '一次性代码', minLength: 1, maxLength: 64 }),
        newPassword: next,
      },
      { additionalProperties: false },
    ),
    data: Null(),
  }),
};
