import type { NotificationLevel } from '#contract/notification';
import type { Queries } from '../../base/db/client';
import { doneToOthers, newPlaces } from '../../base/db/markets/newsSource';
import type { News } from '../../base/db/records/notification';

type Values = Record<string, unknown> | null;

interface Words {
  level: NotificationLevel;
  /** null: not worth a line. */
  title: (after: Values, before: Values) => string | null;
  link?: string;
}

const ROLES: Record<string, string> = { master: '管理员', editor: '编辑', user: '用户' };
const roleOf = (values: Values): string => ROLES[String(values?.role)] ?? String(values?.role);

/** What somebody does to the account of another that its owner is told of, by the action of the audit log. */
const TOLD: Record<string, Words> = {
  'PUT /api/user/role': {
    level: 'warning',
    title: (after, before) => `角色由${roleOf(before)}改为${roleOf(after)}`,
  },
  'PUT /api/user/hedging': {
    level: 'warning',
    title: (after) => (after?.enabled === true ? '对冲已被启用' : '对冲已被停用'),
    link: '/strategy/hedge',
  },
  'PUT /api/user/status': { level: 'info', title: (after) => (after?.blocked === false ? '账户已恢复' : null) },
  'POST /api/user/password/reset': { level: 'warning', title: () => '密码已被重置' },
  'user passwd': { level: 'warning', title: () => '密码已被重置' },
  'user factor-off': { level: 'warning', title: () => '两步验证已被关闭' },
};

/** What users are to be told of their own accounts: what others did to them, and logins from a new place. */
export async function accountNews(db: Queries, since: number): Promise<News[]> {
  const [done, logins] = [await doneToOthers(db, Object.keys(TOLD), since), await newPlaces(db, since)];
  return [
    ...done.flatMap(({ id, at, userId, actor, action, before, after }): News[] => {
      const { level, title, link = null } = TOLD[action]!;
      const told = title(after, before);
      const text = `由 ${actor} 操作；若不是您要求的，请联系管理员`;
      return told === null ? [] : [{ userId, key: `audit:${id}`, kind: 'system', level, title: told, text, link, at }];
    }),
    ...logins.map(
      ({ id, at, userId, address }): News => ({
        ...{ userId, key: `login:${id}`, kind: 'system', level: 'warning', at },
        title: '从新的地址登录',
        text: `${address} 第一次登录本账户；若不是您本人，请修改密码并退出其他设备`,
        link: null,
      }),
    ),
  ];
}
