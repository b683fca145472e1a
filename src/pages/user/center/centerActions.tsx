import { history } from '@umijs/max';
import { Checkbox } from 'antd';
import { type OneTimeCode, type UserRow, type UserSession, userAdmin } from '#contract/userAdmin';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { signalSession } from '@/services/sessionSignal';

type Named = Pick<UserRow, 'id' | 'name'>;

/** Sees the console as somebody does, in every tab of this browser, until that is left. */
export function confirmView({ id, name }: Named): void {
  confirmAction({
    verb: '以其身份查看',
    subject: name,
    consequence: `本浏览器的所有标签页都会显示 ${name} 看到的控制台，只读并带水印；任何操作都被服务器拒绝，查看的开始与结束记入审计日志。`,
    run: async () => {
      await call(userAdmin.view, { body: { userId: id } });
      history.push('/');
      signalSession('signedIn', true);
    },
  });
}

/** Ends one session of somebody. */
export function confirmRevoke({ id, user, device, address }: UserSession, done: () => void): void {
  confirmAction({
    verb: '退出该设备',
    subject: user,
    consequence: `${device ?? '未知设备'}（${address}）上的登录立即失效，需要重新登录。`,
    run: async () => {
      await call(userAdmin.revoke, { body: { id } });
      toast.success('已退出该设备');
      done();
    },
  });
}

/** Ends all sessions of somebody. */
export function confirmSignOut({ id, name }: Named, done: () => void): void {
  confirmAction({
    verb: '强制退出',
    subject: name,
    consequence: '该用户在所有设备上的登录立即失效，需要重新登录；密码不变，进行中的对冲不受影响。',
    run: async () => {
      const { revoked } = await call(userAdmin.revoke, { body: { userId: id } });
      toast.success(`已退出 ${revoked} 台设备`);
      done();
    },
  });
}

/** Keeps somebody out, or lets one in again. */
export function confirmBlock({ id, name, status, hedges }: UserRow, done: () => void): void {
  const blocked = status !== 'blocked';
  confirmAction({
    verb: blocked ? '停用' : '恢复',
    subject: name,
    consequence: blocked
      ? `立即退出所有设备，不能再登录，也不再开新仓。进行中的 ${hedges} 张对冲单继续按规则管理，会列在“需要处理”中。`
      : '可以重新登录；现在就会开仓的标的转为待确认，由他自己确认，之后满足条件的照常开新仓。',
    run: async () => {
      await call(userAdmin.status, { body: { userId: id, blocked } });
      toast.success(blocked ? `已停用 ${name}` : `已恢复 ${name}`);
      done();
    },
  });
}

/** Switches somebody's hedging. */
export function confirmHedging({ id, name, hedging, hedges }: UserRow, done: () => void): void {
  const enabled = hedging !== true;
  confirmAction({
    verb: enabled ? '启用对冲' : '停用对冲',
    subject: name,
    consequence: enabled
      ? '用的是该用户的资金与设置：现在就会开仓的交易对转为待确认，由他自己确认，之后满足条件的照常开仓。'
      : `不再开新仓；进行中的 ${hedges} 张对冲单继续按规则管理。该用户可以自己重新启用。`,
    money: enabled,
    run: async () => {
      await call(userAdmin.hedging, { body: { userId: id, enabled } });
      toast.success(enabled ? `已启用 ${name} 的对冲` : `已停用 ${name} 的对冲`);
      done();
    },
  });
}

/** Takes somebody's password away, and the second factor if it is lost too. */
export function confirmReset({ id, name, secondFactor }: UserRow, onCode: (code: OneTimeCode) => void): void {
  let removeSecondFactor = false;
  confirmAction({
    verb: '重置密码',
    subject: name,
    consequence: (
      <>
        <p>旧密码与全部登录会话立即失效。随后显示一个一次性代码，24 小时内有效：用户用它设置新密码后才能登录。</p>
        {secondFactor && (
          <Checkbox
            onChange={({ target }) => {
              removeSecondFactor = target.checked;
            }}
          >
            同时关闭两步验证（用户丢失了认证器与恢复码）
          </Checkbox>
        )}
      </>
    ),
    run: async () => onCode(await call(userAdmin.resetPassword, { body: { userId: id, removeSecondFactor } })),
  });
}
