import type { NotificationKind, NotificationLevel } from '#contract/notification';

export const KIND_TEXT: Record<NotificationKind, string> = {
  trade: '开仓、平仓、未完成的开仓',
  funding: '每次结算的资金费合计',
  risk: '强平、冻结、熔断、风控拦截、暂停开仓、结果不明的委托',
  key: 'API 密钥到期前 14、3、1 天，到期，认证失败，权限有变化，请求权重将用完',
  system: '推送失败、从新的地址登录、管理员对本账户的操作',
};

/** Said in words as well: colour is never the only sign. */
export const LEVEL_LABEL: Record<NotificationLevel, string> = { info: '', warning: '注意', error: '需要处理' };
