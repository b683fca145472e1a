import { Array as Arr, Boolean as Bool, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { listQuery } from './list';
import { Instant, Maybe, OneOf, Text } from './value';

/** `unknown`: the server ended, or could not write, before the outcome was known. */
export const AUDIT_RESULTS = ['done', 'refused', 'failed', 'unknown'] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** Of one filter no more rows are counted and paged through: a narrower period shows what is older. */
export const AUDIT_ROWS = 10_000;

export const AuditRow = Obj({
  id: Str(),
  at: Instant('时间'),
  actorId: Maybe(Str()),
  actor: Str(),
  role: Str(),
  action: Str({ description: '方法与路径' }),
  title: Str({ description: '做了什么' }),
  object: Maybe(Str({ description: '对象的编号或名称；没有时为空' })),
  address: Str({ description: 'IP' }),
  requestId: Str(),
  result: OneOf(AUDIT_RESULTS),
  code: Maybe(Integer({ description: '回答的 code' })),
  message: Maybe(Str({ description: '被拒绝或失败的原因' })),
  /** `before` is null where nobody looked at it, or it was nothing. Secrets are ***. */
  changes: Arr(Obj({ field: Str(), before: Maybe(Str()), after: Maybe(Str()) })),
});
export type AuditRow = Static<typeof AuditRow>;

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit',
    expensive: true,
    right: 'isMaster',
    tag: '审计',
    summary: '每个写操作的审计日志，新的在前；只增不改',
    query: Obj({
      ...listQuery(50),
      actorId: Optional(Text({ title: '操作人', minLength: 1, maxLength: 64 })),
      action: Optional(Text({ title: '操作', minLength: 1, maxLength: 200, description: '方法与路径' })),
      object: Optional(Text({ title: '对象', minLength: 1, maxLength: 200, description: '编号或名称的开头' })),
      result: Optional(OneOf(AUDIT_RESULTS, { title: '结果' })),
      start: Optional(Instant('开始')),
      end: Optional(Instant('结束')),
    }),
    data: Obj({
      list: Arr(AuditRow),
      total: Integer({ description: '最多数到 10,000' }),
      more: Bool({ description: '还有更早的，没有数进来' }),
    }),
  }),
};
