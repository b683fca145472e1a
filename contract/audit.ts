import { Array as Arr, Boolean as Bool, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { At, Choice, ChoiceFilter, MaybeWord, shown, Word } from './field';
import { listQuery } from './list';
import { Instant, Maybe, Text } from './value';

/** `unknown`: the server ended, or could not write, before the outcome was known. */
export const AUDIT_RESULT_LABEL = { done: '完成', refused: '被拒绝', failed: '失败', unknown: '结果未知' } as const;
export type AuditResult = keyof typeof AUDIT_RESULT_LABEL;

/** Of one filter no more rows are counted and paged through: a narrower period shows what is older. */
export const AUDIT_ROWS = 10_000;

const unsorted = { first: null } as const;

export const AuditRow = Obj({
  id: Str(),
  actorId: Maybe(Str()),
  code: Maybe(Integer({ description: '回答的 code' })),
  at: At('时间', { seconds: true }),
  actor: Word('操作人', unsorted),
  role: Word('角色', unsorted),
  title: Word('操作', unsorted),
  object: MaybeWord('对象', { ...unsorted, text: '交易对或品种、策略、账户、用户的名称' }),
  amount: MaybeWord('金额', { ...unsorted, text: '涉及资金的操作：每腿名义、划转金额、平掉的名义等' }),
  result: Choice(AUDIT_RESULT_LABEL, '结果', unsorted),
  message: MaybeWord('结果说明', {
    ...unsorted,
    text: '被拒绝的写原因；涉及资金的写到现在为止的结果：开出几张、平掉几张、已结束的净盈亏',
  }),
  /** `before` is null where nobody looked at it, or it was nothing. Secrets are ***. */
  changes: shown(Arr(Obj({ field: Str(), before: Maybe(Str()), after: Maybe(Str()) })), '内容', {
    ...{ form: 'word', first: null },
    text: '由 → 到；没有旧值时为请求的内容，展开看全部。密码、密钥与验证码一律为 ***',
  }),
  address: Word('IP', unsorted),
  requestId: Word('请求编号', unsorted),
  /** Method and path. */
  action: Word('接口', { first: null, spare: true }),
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
      object: Optional(
        Text({ title: '对象', minLength: 1, maxLength: 200, description: '编号、名称、币种或合约的开头' }),
      ),
      result: ChoiceFilter(AUDIT_RESULT_LABEL, '结果'),
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
