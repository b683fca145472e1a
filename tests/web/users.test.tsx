import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { account } from '#contract/account';
import { type AuditRow, audit } from '#contract/audit';
import { type DataSourceRow, dataSource } from '#contract/dataSource';
import { type JobQueueRow, type JobRow, job } from '#contract/job';
import { password } from '#contract/password';
import { secondFactor } from '#contract/secondFactor';
import { security } from '#contract/security';
import { session } from '#contract/session';
import { user } from '#contract/user';
import { type UserRow, userAdmin } from '#contract/userAdmin';
import {
  accountOf,
  answers,
  openConsole,
  person,
  place,
  refuses,
  sent,
  signedInAs,
  toasts,
  visit,
} from '../support/webConsole';

const AT = Date.UTC(2026, 10, 20, 8);

const rowOf = (name: string, more: Partial<UserRow> = {}): UserRow => ({
  id: `id-${name}`,
  name,
  role: 'user',
  createdAt: AT,
  demo: false,
  binanceId: null,
  status: 'active',
  secondFactor: false,
  hedging: null,
  paused: false,
  hedges: 0,
  apiKeys: 0,
  equity: 123_456.78,
  pnl30d: -789.1,
  liveEquity: 80_000,
  livePnl30d: -35.2,
  sessions: 2,
  lastLoginAt: AT,
  lastLoginAddress: '192.0.2.7',
  lastLoginDevice: 'Chrome 141 · Windows 10',
  ...more,
});
const USERS = [
  rowOf('master', { role: 'master' }),
  rowOf('小李', { hedging: true, paused: true, hedges: 3, secondFactor: true }),
];
const CODE = { userId: 'id-小李', username: '小李', code: 'ABCDE-FGHJK-MNPQR-STVWX', expiresAt: AT };
const AUDIT: AuditRow = {
  id: '7',
  at: AT,
  actorId: 'id-master',
  actor: 'master',
  role: 'master',
  action: 'PUT /api/user/role',
  title: '改变角色',
  object: '小李',
  amount: null,
  address: '192.0.2.7',
  requestId: 'request-7',
  result: 'refused',
  code: 1008,
  message: '这是最后一个管理员',
  changes: [{ field: '角色', before: 'user', after: 'editor' }],
};
const SESSION = {
  address: '192.0.2.7',
  origin: 'private',
  userAgent: 'x',
  createdAt: AT,
  seenAt: AT,
  expiresAt: AT,
} as const;

beforeEach(() => {
  const counters = { active24h: 5, failedLogins24h: 2, keysExpiring: 1, ownerless: 0 };
  answers(userAdmin.list, { list: USERS, total: 2, counters });
  answers(userAdmin.access, {
    endpoints: [
      { method: 'PUT', path: '/api/user/role', tag: '', summary: '改变角色；最后一个不能', right: 'isMaster' },
      { method: 'PUT', path: '/api/note', tag: '', summary: '修改评价', right: 'evaluateEditable' },
    ],
  });
});

const open = (query = '') => openConsole(`/user/center${query}`, 'master');
const lastOf = (method: string, path: string) =>
  sent.filter((each) => each.method === method && each.path === path).at(-1);
/** Key by key takes seconds in a form that checks itself with each. */
const fill = (place: Pick<typeof screen, 'getByLabelText'>, label: string, value: string) =>
  fireEvent.change(place.getByLabelText(label), { target: { value } });
const lineOf = async (text: string) =>
  (await screen.findAllByText(text)).map((node) => node.closest('tr')).find(Boolean)!;
const choose = async (name: string, item: string | RegExp) => {
  await person.click(await screen.findByRole('button', { name: `${name} 的操作` }));
  await person.click(await screen.findByRole('menuitem', { name: item }));
};

describe('the users', () => {
  test('show who they are, what they hold and what to notice; the filter is in the address', async () => {
    open('?role=user');
    const line = await lineOf('小李');
    expect(line).toHaveTextContent(/普通用户.*正常.*已开启.*已暂停开仓.*3.*123,456\.78.*80,000\.00.*-789\.10.*-35\.20/);
    expect(screen.getByLabelText('用户计数')).toHaveTextContent(/活跃用户.*5.*失败登录.*2.*密钥到期.*1/);
    expect(lastOf('GET', '/api/user/list')?.query.get('role')).toBe('user');
    await person.type(screen.getByRole('searchbox', { name: '搜索用户' }), '李{Enter}');
    await waitFor(() => expect(lastOf('GET', '/api/user/list')?.query.get('search')).toBe('李'));
    expect(place()).toContain('search=');
  });

  test('are looked at as they see the console: read only, under a watermark, until that is left', async () => {
    open();
    await choose('小李', '以其身份查看');
    answers(userAdmin.view, { userId: 'id-小李', name: '小李' });
    answers(user.current, { ...accountOf('trader'), name: '小李', viewer: 'master' });
    answers(account.state, { at: 0, account: null });
    await person.click(await screen.findByRole('button', { name: /^以其身份查看$/ }));
    const banner = await screen.findByText(/master 正在以 小李 的身份只读查看/);
    expect(lastOf('POST', '/api/user/view')?.body).toEqual({ userId: 'id-小李' });
    expect(place()).toBe('/');
    expect(screen.queryByRole('menuitem', { name: /用户中心/ })).not.toBeInTheDocument();
    answers(userAdmin.leaveView, null);
    signedInAs('master');
    await person.click(within(banner.closest<HTMLElement>('.ant-alert')!).getByRole('button', { name: '退出查看' }));
    expect(await lineOf('小李')).toBeVisible();
    expect(screen.queryByText(/只读查看/)).not.toBeInTheDocument();
  });

  test('are refused to whoever is no master', async () => {
    openConsole('/user/center', 'editor');
    expect(await screen.findByText('抱歉，你没有权限访问该页面')).toBeVisible();
  });

  test('are created with a code that is shown once', async () => {
    open();
    await person.click(await screen.findByRole('button', { name: /创建用户/ }));
    refuses(userAdmin.create, { code: 1002, message: '该用户名不可用，请换一个' });
    const dialog = await screen.findByRole('dialog');
    fill(within(dialog), '用户名', '分析员小李');
    await person.click(within(dialog).getByRole('button', { name: /创\s*建/ }));
    expect(await within(dialog).findByText('该用户名不可用，请换一个')).toBeVisible();
    answers(userAdmin.create, CODE);
    await person.click(within(dialog).getByRole('button', { name: /创\s*建/ }));
    expect(await screen.findByText(CODE.code)).toBeVisible();
    expect(lastOf('POST', '/api/user')?.body).toEqual({ username: '分析员小李', role: 'user' });
    await person.click(screen.getByRole('button', { name: '我已转交' }));
    await waitFor(() => expect(screen.queryByText(CODE.code)).not.toBeInTheDocument());
  });

  test('change role knowing what that gives and takes', async () => {
    open();
    await choose('小李', '改变角色');
    await person.click(await screen.findByRole('combobox', { name: '新角色' }));
    await person.click(await screen.findByTitle('编辑（editor）'));
    expect(await screen.findByRole('region', { name: '将获得' })).toHaveTextContent('将获得 1 项接口：修改评价');
    expect(screen.getByRole('region', { name: '将失去' })).toHaveTextContent('将失去 0 项');
    refuses(userAdmin.role, { code: 1008, message: '这是最后一个可登录的管理员，不能降级或停用' });
    await person.click(screen.getByRole('button', { name: '改变角色' }));
    expect(await within(screen.getByRole('dialog')).findByText(/最后一个可登录的管理员/)).toBeVisible();
    expect(lastOf('PUT', '/api/user/role')?.body).toEqual({ userId: 'id-小李', role: 'editor' });
  });

  test('are kept out after a question that says what happens; what cannot be done says why', async () => {
    open();
    answers(userAdmin.status, { userId: 'id-小李', blocked: true });
    await choose('小李', '停用');
    expect(await screen.findByText(/进行中的 3 张对冲单继续按规则管理/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: /^停\s*用$/ }));
    await waitFor(() => expect(lastOf('PUT', '/api/user/status')?.body).toEqual({ userId: 'id-小李', blocked: true }));
    await person.click(await screen.findByRole('button', { name: 'master 的操作' }));
    expect(await screen.findByRole('menuitem', { name: '停用（不能对自己执行）' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    expect(screen.getByRole('menuitem', { name: '启用对冲（还没有对冲配置）' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });
});

describe('the other tabs', () => {
  test('show the audit log with what changed, and ask by its filters', async () => {
    answers(audit.list, { list: [AUDIT], total: 1, more: true });
    open('?tab=audit&userId=id-master&outcome=refused');
    const line = await lineOf('改变角色');
    expect(line).toHaveTextContent(/master.*管理员.*改变角色.*小李.*被拒绝.*这是最后一个管理员.*角色 user → editor/);
    expect(screen.getByText(/只列出最近 1 行/)).toBeVisible();
    const { query } = lastOf('GET', '/api/audit')!;
    expect([query.get('actorId'), query.get('result')]).toEqual(['id-master', 'refused']);
  });

  test('show logins, and lift a lock', async () => {
    const attempt = {
      id: '1',
      at: AT,
      userId: null,
      user: 'hu***',
      address: '192.0.2.9',
      origin: 'public',
      device: null,
      times: 1,
      firstAt: null,
    } as const;
    const rows = [
      { ...attempt, result: 'refused', reason: 'unknownName' },
      { ...attempt, id: '2', user: '两步的', result: 'refused', reason: 'codeAsked' },
    ] as const;
    answers(userAdmin.attempts, { list: [...rows], total: 2 });
    const lock = {
      id: 'x',
      kind: 'pair',
      user: '小李',
      address: '192.0.2.9',
      failures: 5,
      firstAt: AT,
      lockedUntil: AT,
    } as const;
    answers(userAdmin.locks, { list: [lock], total: 1 });
    open('?tab=logins');
    expect(await lineOf('hu***')).toHaveTextContent(/被拒绝.*没有这个用户.*192\.0\.2\.9.*公网/);
    expect(await lineOf('两步的')).toHaveTextContent(/未完成.*等待两步验证码/);
    answers(userAdmin.unlock, { id: 'x' });
    answers(userAdmin.locks, { list: [], total: 0 });
    await person.click(await screen.findByRole('button', { name: /解\s*除/ }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /解\s*除/ })).not.toBeInTheDocument());
    expect(lastOf('DELETE', '/api/user/lock')?.body).toEqual({ id: 'x' });
  });

  test('show sessions, and who may do what', async () => {
    const own = {
      ...SESSION,
      id: 's',
      current: false,
      device: 'Firefox 140 · macOS',
      userId: 'u',
      user: '小李',
      role: 'user',
    };
    answers(userAdmin.sessions, { list: [own], total: 1 });
    open('?tab=sessions');
    await person.click(within(await lineOf('Firefox 140 · macOS')).getByRole('button', { name: '退出该设备' }));
    answers(userAdmin.revoke, { revoked: 1 });
    await person.click(
      within(await screen.findByRole('dialog', { name: /^退出该设备：/ })).getByRole('button', { name: '退出该设备' }),
    );
    await waitFor(() => expect(lastOf('DELETE', '/api/user/session/all')?.body).toEqual({ id: 's' }));
    await person.click(screen.getByRole('tab', { name: '权限矩阵' }));
    expect(await lineOf('修改评价')).toHaveTextContent('可编辑评价✓ 可以✓ 可以— 不可以— 不可以');
    expect(await lineOf('多空对冲')).toHaveTextContent('登录用户✓ 可以✓ 可以✓ 可以— 不可以');
    expect(place()).toContain('tab=access');
  });
});

describe('the work in the background', () => {
  const none = { waiting: 0, active: 0, retrying: 0, dead: 0, done: 0, doneAt: null, nextAt: null };
  const queuesOf = (webhook: Partial<JobQueueRow>): JobQueueRow[] => [
    { queue: 'webhook', ...none, ...webhook },
    { queue: 'webhook-given-up', ...none },
    { queue: 'retention', ...none, waiting: 1, done: 24, doneAt: AT, nextAt: AT },
  ];
  const DEAD: JobRow = {
    ...{ id: 'job-1', queue: 'webhook', state: 'dead', user: '小李', subject: '开仓：A / B', reason: 'HTTP 500' },
    ...{ tries: 10, mostTries: 10, at: AT, nextAt: null },
  };
  const RETRYING: JobRow = { ...DEAD, id: 'job-2', state: 'retrying', reason: '超时', tries: 3, nextAt: AT };
  const failed = () =>
    answers(job.list, { list: [RETRYING, DEAD], total: 2, queues: queuesOf({ retrying: 1, dead: 1, waiting: 4 }) });

  test('shows each queue, and what failed with its reason; the filter is asked for', async () => {
    failed();
    open('?tab=jobs&queue=webhook&jobState=dead');
    expect(await lineOf('超时')).toHaveTextContent(/推送通知.*小李.*开仓：A \/ B.*等待重试.*超时.*3 \/ 10/);
    expect(await lineOf('HTTP 500')).toHaveTextContent(/推送通知.*已放弃.*HTTP 500.*10 \/ 10/);
    expect(await lineOf('每小时一次，分批删除超过保留期的数据')).toHaveTextContent(/清理过期数据.*24/);
    const { query } = lastOf('GET', '/api/job')!;
    expect([query.get('queue'), query.get('state')]).toEqual(['webhook', 'dead']);
    expect(screen.getAllByRole('button', { name: '全部重试' }).map((one) => one.hasAttribute('disabled'))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('says that nothing failed', async () => {
    answers(job.list, { list: [], total: 0, queues: queuesOf({}) });
    open('?tab=jobs');
    expect(await screen.findByText('没有失败的任务')).toBeVisible();
  });

  test('is tried again, one or all of a queue, or discarded after a question; a refusal is told', async () => {
    failed();
    open('?tab=jobs');
    answers(job.retry, { retried: 1 });
    await person.click(within(await lineOf('HTTP 500')).getByRole('button', { name: /重\s*试/ }));
    await waitFor(() => expect(toasts()).toEqual(['正在重试']));
    expect(lastOf('POST', '/api/job/retry')?.body).toEqual({ queue: 'webhook', id: 'job-1' });
    answers(job.retry, { retried: 2 });
    await person.click(screen.getAllByRole('button', { name: '全部重试' })[0]!);
    const question = await screen.findByRole('dialog');
    expect(question).toHaveTextContent('立即重试 2 个失败的任务，其中已放弃的 1 个再试一次');
    await person.click(within(question).getByRole('button', { name: '全部重试' }));
    await waitFor(() => expect(lastOf('POST', '/api/job/retry')?.body).toEqual({ queue: 'webhook' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    refuses(job.discard, { code: 404, message: '没有找到失败的任务：可能已经完成，或正在执行' });
    await person.click(within(await lineOf('HTTP 500')).getByRole('button', { name: /丢\s*弃/ }));
    const discarding = await screen.findByRole('dialog');
    await person.click(within(discarding).getByRole('button', { name: '丢弃任务' }));
    expect(await within(discarding).findByText(/可能已经完成/)).toBeVisible();
    answers(job.discard, { id: 'job-1' });
    answers(job.list, { list: [], total: 0, queues: queuesOf({}) });
    await person.click(within(discarding).getByRole('button', { name: '丢弃任务' }));
    expect(await screen.findByText('没有失败的任务')).toBeVisible();
    expect(lastOf('DELETE', '/api/job')?.body).toEqual({ queue: 'webhook', id: 'job-1' });
  });
});

describe('the data sources', () => {
  const ROW: DataSourceRow = {
    ...{ id: 'binance-live', label: '币安 · 实时', kind: 'live', state: 'degraded', symbols: 512, candles: 1_463_808 },
    ...{ settlements: 138_240, newestAt: AT, gaps: 3, behind: 2, progress: 1, streams: '2 / 3，中断：marks Silence' },
    ...{ stale: 4, weight: 0.25, delay: 84, ahead: -12, error: null, errorAt: null, at: AT, outSince: null },
    ...{ silent: 'SOLUSDT（2 分钟） 等 4 个', maintenanceAt: AT, maintenanceUntil: null, maintenance: 'Upgrade' },
    ...{ watched: '60（另有 8 个超出上限）', minutes: 86_400, minutesAt: AT, minuteGaps: 0, samples: 4_320 },
  };

  test('tell of each what is stored, what is missing and what its streams do', async () => {
    answers(dataSource.list, { list: [ROW], total: 1 });
    open('?tab=sources');
    expect(await lineOf('币安 · 实时')).toHaveTextContent(
      /币安 · 实时.*部分中断.*512.*138,240.*25%.*2 \/ 3，中断：marks Silence.*60（另有 8 个超出上限）.*86,400/,
    );
  });

  test('say of an exchange that does not answer since when', async () => {
    const silent = { state: 'out', outSince: AT, progress: null, behind: null } as const;
    answers(dataSource.list, { list: [{ ...ROW, ...silent }], total: 1 });
    open('?tab=sources');
    expect(await lineOf('币安 · 实时')).toHaveTextContent(/交易所无响应自 2026-11-20 08:00/);
    expect(await lineOf('币安 · 实时')).not.toHaveTextContent('100%');
  });

  test('say of an exchange that answers without a price since when there is none', async () => {
    answers(dataSource.list, { list: [{ ...ROW, state: 'silent', outSince: AT }], total: 1 });
    open('?tab=sources');
    expect(await lineOf('币安 · 实时')).toHaveTextContent(/行情中断自 2026-11-20 08:00/);
  });

  test('say how to follow an exchange where there is none', async () => {
    answers(dataSource.list, { list: [], total: 0 });
    open('?tab=sources');
    expect(await screen.findByText(/EXCHANGES=binance/)).toBeVisible();
  });
});

describe('what asks for a fresh proof', () => {
  const STALE = { code: 1015, message: '请先确认是本人：输入当前密码或两步验证码' };
  beforeEach(() => answers(secondFactor.state, { enabledAt: null, recoveryLeft: 0, isDamaged: false }));
  const toCreate = async () => {
    open();
    await person.click(await screen.findByRole('button', { name: /创建用户/ }));
    const dialog = await screen.findByRole('dialog');
    fill(within(dialog), '用户名', '分析员小李');
    refuses(userAdmin.create, STALE);
    await person.click(within(dialog).getByRole('button', { name: /创\s*建/ }));
    return { dialog, proof: await screen.findByRole('dialog', { name: '请确认是本人' }) };
  };
  const confirm = (proof: HTMLElement) => person.click(within(proof).getByRole('button', { name: '确认并继续' }));

  test('asks for the password, tells a wrong one at its field, and then does what was asked', async () => {
    const { proof } = await toCreate();
    expect(toasts()).toEqual([]);
    expect(within(proof).queryByText('验证码')).toBeNull();
    await waitFor(() => expect(within(proof).getByLabelText('当前密码')).toHaveFocus());
    await confirm(proof);
    expect(await within(proof).findByText('请输入当前密码')).toBeVisible();
    const data = { fields: [{ field: 'password', message: '当前密码不正确' }] };
    refuses(security.prove, { code: 1010, message: '当前密码不正确', data });
    fill(within(proof), '当前密码', 'wrong');
    await confirm(proof);
    expect(await within(proof).findByText('当前密码不正确')).toBeVisible();
    answers(security.prove, { freshUntil: AT });
    answers(userAdmin.create, CODE);
    fill(within(proof), '当前密码', 'right');
    await person.type(within(proof).getByLabelText('当前密码'), '{Enter}');
    expect(await screen.findByText(CODE.code)).toBeVisible();
    expect(lastOf('POST', '/api/user/fresh')?.body).toEqual({ password: 'right' });
    expect(lastOf('POST', '/api/user')?.body).toEqual({ username: '分析员小李', role: 'user' });
    expect(sent.filter(({ path, method }) => path === '/api/user' && method === 'POST')).toHaveLength(2);
  });

  test('takes a code from who has a second factor; who leaves it has lost nothing that was typed', async () => {
    answers(secondFactor.state, { enabledAt: AT, recoveryLeft: 9, isDamaged: false });
    const { dialog, proof } = await toCreate();
    fireEvent.change(await within(proof).findByRole('textbox', { name: '验证码' }), { target: { value: '123456' } });
    refuses(security.prove, {
      code: 1007,
      message: '验证码不正确',
      data: { fields: [{ field: 'code', message: '验证码不正确' }] },
    });
    await confirm(proof);
    expect(await within(proof).findByText('验证码不正确')).toBeVisible();
    expect(lastOf('POST', '/api/user/fresh')?.body).toEqual({ code: '123456' });
    await person.click(within(proof).getByRole('button', { name: /取\s*消/ }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '请确认是本人' })).toBeNull());
    expect(within(dialog).getByLabelText('用户名')).toHaveValue('分析员小李');
    expect(sent.filter(({ path, method }) => path === '/api/user' && method === 'POST')).toHaveLength(1);
  });
});

describe('the settings of safety', () => {
  const SETTINGS = { masterFactor: false, registration: true, mastersWithout: ['老王'] };

  test('are changed by a master, only what was changed; a refusal stands at its field', async () => {
    answers(security.settings, SETTINGS);
    open('?tab=security');
    const factor = await screen.findByRole('switch', { name: '管理员必须开启两步验证' });
    expect(screen.getByText('还没有开启两步验证的管理员：老王')).toBeVisible();
    const save = screen.getByRole('button', { name: /保\s*存/ });
    expect(save).toBeDisabled();
    await person.click(factor);
    const message = '请先在个人设置中为自己开启两步验证，再要求所有管理员开启';
    refuses(security.setSettings, { code: 1018, message, data: { fields: [{ field: 'masterFactor', message }] } });
    await person.click(save);
    expect(await screen.findByText(message)).toBeVisible();
    expect(toasts()).toEqual([]);
    await person.click(factor);
    await person.click(screen.getByRole('switch', { name: '开放注册' }));
    answers(security.setSettings, { ...SETTINGS, registration: false });
    await person.click(save);
    await waitFor(() => expect(toasts().join()).toContain('已保存'));
    expect(lastOf('PUT', '/api/user/security')?.body).toEqual({ registration: false });
    expect(await screen.findByRole('switch', { name: '开放注册' })).not.toBeChecked();
  });

  test('a master who must have a second factor sees the way to it and nothing else', async () => {
    answers(user.current, { ...accountOf('master'), factorNeeded: true });
    visit('/user/center');
    expect(await screen.findByRole('heading', { name: '请开启两步验证' })).toBeVisible();
    expect(screen.queryByRole('menu')).toBeNull();
    await person.click(screen.getByRole('button', { name: '开启两步验证' }));
    const dialog = await screen.findByRole('dialog', { name: '开启两步验证' });
    answers(secondFactor.begin, { secret: 'ABCDEFGH', uri: 'otpauth://totp/x', expiresAt: AT });
    fill(within(dialog), '当前密码', 'mine');
    await person.click(within(dialog).getByRole('button', { name: '下一步' }));
    answers(secondFactor.confirm, { recoveryCodes: ['AAAAA-BBBBB-CCCCC'] });
    await waitFor(() => expect(within(dialog).getByLabelText('验证码')).toBeVisible());
    fill(within(dialog), '验证码', '123456');
    await person.click(within(dialog).getByRole('button', { name: '确认并开启' }));
    expect(await screen.findByText('AAAAA-BBBBB-CCCCC')).toBeVisible();
    signedInAs('master');
    await person.click(screen.getByRole('button', { name: '我已保存' }));
    expect(await screen.findByRole('heading', { name: '用户中心' })).toBeVisible();
  });

  test('a master at work is led there as soon as it is demanded', async () => {
    open();
    await lineOf('小李');
    refuses(security.settings, { code: 1016, message: '管理员须先开启两步验证，才能使用控制台' });
    answers(user.current, { ...accountOf('master'), factorNeeded: true });
    await person.click(screen.getByRole('tab', { name: '安全设置' }));
    expect(await screen.findByRole('heading', { name: '请开启两步验证' })).toBeVisible();
    expect(toasts()).toEqual([]);
  });
});

describe('the profile', () => {
  beforeEach(() => {
    answers(session.list, { list: [{ ...SESSION, id: 's', current: true, device: 'Chrome 141' }], total: 1 });
    answers(secondFactor.state, { enabledAt: null, recoveryLeft: 0, isDamaged: false });
  });
  const openProfile = async () => {
    open();
    await person.click(await screen.findByRole('button', { name: /master · 管理员/ }));
    await person.click(await screen.findByRole('menuitem', { name: '个人设置' }));
    return screen.findByRole('dialog', { name: '个人设置' });
  };

  test('says that the secret of the second step is damaged, and what to do', async () => {
    answers(secondFactor.state, { enabledAt: AT, recoveryLeft: 9, isDamaged: true });
    const drawer = await openProfile();
    expect(await within(drawer).findByText('已损坏')).toBeVisible();
    expect(drawer).toHaveTextContent('请用一个恢复码关闭两步验证，再重新开启');
  });

  test('keeps colour, number habit and time zone with the account, and all money and times follow', async () => {
    const drawer = await openProfile();
    answers(user.setPreference, { rise: 'red', numbers: 'compact', timeZone: null });
    await person.click(within(drawer).getByText('红涨绿跌'));
    await person.click(within(drawer).getByText('万 / 亿'));
    expect(document.documentElement).toHaveAttribute('data-rise', 'red');
    expect(await lineOf('小李')).toHaveTextContent('12.35万');
    await person.click(within(drawer).getByText('千分位'));
    expect(drawer).toHaveTextContent('1,234,567,890.00');
    fireEvent.mouseDown(within(drawer).getByRole('combobox', { name: '时区' }));
    await person.click(await screen.findByTitle('东京'));
    expect(await lineOf('小李')).toHaveTextContent('2026-11-20 17:00');
    const bodies = sent
      .filter(({ path, method }) => path === '/api/user/preference' && method === 'PUT')
      .map(({ body }) => body);
    expect(bodies).toEqual([
      { rise: 'red' },
      { numbers: 'compact' },
      { numbers: 'thousands' },
      { timeZone: 'Asia/Tokyo' },
    ]);
  });

  test('changes the password by the old one, and says which field is wrong', async () => {
    const drawer = await openProfile();
    await person.click(within(drawer).getByRole('button', { name: '修改密码' }));
    const dialog = await screen.findByRole('dialog', { name: '修改密码' });
    const typed = { 当前密码: 'old one', 新密码: 'a new long one', 确认新密码: 'a new long one' };
    for (const [label, text] of Object.entries(typed)) fill(within(dialog), label, text);
    const data = { fields: [{ field: 'password', message: '当前密码不正确' }] };
    refuses(password.change, { code: 1010, message: '当前密码不正确', data });
    await person.click(within(dialog).getByRole('button', { name: '修改密码' }));
    expect(await within(dialog).findByText('当前密码不正确')).toBeVisible();
    answers(password.change, { revoked: 2 });
    await person.click(within(dialog).getByRole('button', { name: '修改密码' }));
    await waitFor(() => expect(toasts().join()).toContain('退出了其他 2 台设备'));
    expect(lastOf('PUT', '/api/user/password')?.body).toEqual({ password: 'old one', newPassword: 'a new long one' });
  });

  test('switches the second factor on and shows the recovery codes once', async () => {
    const drawer = await openProfile();
    await person.click(await within(drawer).findByRole('button', { name: '开启两步验证' }));
    const dialog = await screen.findByRole('dialog', { name: '开启两步验证' });
    answers(secondFactor.begin, { secret: 'ABCDEFGH', uri: 'otpauth://totp/x', expiresAt: AT });
    fill(within(dialog), '当前密码', 'mine');
    await person.click(within(dialog).getByRole('button', { name: '下一步' }));
    expect(await within(dialog).findByText('ABCD EFGH')).toBeVisible();
    answers(secondFactor.confirm, { recoveryCodes: ['AAAAA-BBBBB-CCCCC'] });
    fill(within(dialog), '验证码', '123456');
    await person.click(within(dialog).getByRole('button', { name: '确认并开启' }));
    expect(await screen.findByText('AAAAA-BBBBB-CCCCC')).toBeVisible();
    expect(lastOf('PUT', '/api/user/secondFactor')?.body).toEqual({ code: '123456' });
  });
});

describe('the login', () => {
  test('asks for the second step when there is one, without calling it an error', async () => {
    openConsole('/login');
    await screen.findByLabelText('用户名');
    fill(screen, '用户名', 'trader');
    fill(screen, '密码', 'right');
    const data = { fields: [{ field: 'code', message: '请输入两步验证码' }] };
    refuses(session.login, { code: 1006, message: '请输入两步验证码', data });
    await person.click(screen.getByRole('button', { name: /登\s*录/ }));
    await screen.findByLabelText('两步验证码');
    fill(screen, '两步验证码', '123456');
    expect(toasts()).toEqual([]);
    await person.click(screen.getByRole('button', { name: /登\s*录/ }));
    await waitFor(() =>
      expect(lastOf('POST', '/api/login')?.body).toEqual({ username: 'trader', password: 'right', code: '123456' }),
    );
  });

  test('takes a one-time code from a link, out of the address, and signs in with the new password', async () => {
    window.history.replaceState(null, '', '/login#user=%E5%B0%8F%E6%9D%8E&code=ABCDE-FGHJK');
    openConsole('/login#user=%E5%B0%8F%E6%9D%8E&code=ABCDE-FGHJK');
    const dialog = await screen.findByRole('dialog', { name: '用一次性代码设置密码' });
    expect(window.location.hash).toBe('');
    expect(within(dialog).getByLabelText('用户名')).toHaveValue('小李');
    await waitFor(() => expect(within(dialog).getByLabelText('新密码')).toHaveFocus());
    fill(within(dialog), '新密码', 'a new long one');
    fill(within(dialog), '确认新密码', 'a new long one');
    answers(password.redeem, null);
    await person.click(within(dialog).getByRole('button', { name: '设置密码并登录' }));
    await waitFor(() =>
      expect(lastOf('POST', '/api/login')?.body).toEqual({ username: '小李', password: 'a new long one' }),
    );
  });
});
