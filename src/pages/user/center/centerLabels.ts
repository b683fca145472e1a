import type { AuditResult } from '#contract/audit';
import type { LOCK_KINDS, LoginReason, LoginResult, UserStatus } from '#contract/userAdmin';

export const STATUS_LABEL: Record<UserStatus, string> = { active: '正常', pending: '待设密码', blocked: '已停用' };
export const STATUS_COLOR: Record<UserStatus, string> = { active: 'success', pending: 'warning', blocked: 'error' };

export const LOGIN_RESULT_LABEL: Record<LoginResult, string> = { ok: '成功', refused: '被拒绝', locked: '锁定中' };
export const LOGIN_RESULT_COLOR: Record<LoginResult, string> = { ok: 'success', refused: 'error', locked: 'error' };

export const LOGIN_REASON_LABEL: Record<LoginReason, string> = {
  password: '密码正确',
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
};

export const LOCK_LABEL: Record<(typeof LOCK_KINDS)[number], string> = {
  pair: '该地址登录该用户',
  address: '该地址登录任何用户',
  name: '任何地址登录该用户',
  register: '该地址注册',
  password: '用户核对自己的密码',
  code: '用户的两步验证码',
};

export const AUDIT_RESULT_LABEL: Record<AuditResult, string> = {
  done: '完成',
  refused: '被拒绝',
  failed: '失败',
  unknown: '结果未知',
};
export const AUDIT_RESULT_COLOR: Record<AuditResult, string> = {
  done: 'success',
  refused: 'warning',
  failed: 'error',
  unknown: 'error',
};
