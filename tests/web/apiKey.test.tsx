import { screen, waitFor, within } from '@testing-library/react';
import { type ApiKeyRow, apiKey, type KeyDesk, type KeyHeld, type KeyReport } from '#contract/apiKey';
import * as REFUSALS from '#contract/codes';
import { answers, openConsole, person, place, refuses, sent, toasts } from '../support/webConsole';

const AT = Date.UTC(2026, 10, 20, 8);

const reportOf = (more: Partial<KeyReport> = {}): KeyReport => ({
  at: AT,
  simulated: true,
  outcome: 'accepted',
  reason: null,
  rights: ['read', 'spot', 'derivative'],
  accountType: 'unified',
  uid: '354937868',
  ipRestricted: true,
  ipList: ['203.0.113.10'],
  expiresAt: null,
  positionMode: 'oneWay',
  marginMode: 'cross',
  cancelsForGone: null,
  skewMs: 12,
  latencyMs: 42,
  weightUsed: 0.12,
  multiAsset: false,
  feeTier: 'VIP 1',
  makerFee: 0.00016,
  takerFee: 0.0004,
  equity: 5_000,
  findings: [],
  ...more,
});

const keyOf = (id: string, more: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id,
  exchange: 'binance',
  name: `键 ${id}`,
  maskedKey: '****4321',
  subAccount: null,
  note: '',
  state: 'ready',
  enabled: true,
  report: reportOf(),
  expiresAt: null,
  daysLeft: null,
  latencyMs: 42,
  weightUsed: 0.12,
  needs: [
    { right: 'read', has: true, neededBy: ['账户总览'], verdict: 'fits' },
    { right: 'derivative', has: false, neededBy: ['对冲'], verdict: 'missing' },
    { right: 'withdraw', has: false, neededBy: [], verdict: 'absent' },
  ],
  uses: [],
  strategies: 0,
  usedAt: null,
  createdAt: AT,
  rotatedAt: null,
  failures: 0,
  failingSince: null,
  rightsBefore: null,
  rightsChangedAt: null,
  ...more,
});

const USED = keyOf('used', {
  strategies: 1,
  uses: [
    {
      accountId: 'a1',
      venue: 'simulated',
      mode: 'paper',
      strategies: [{ id: 's1', name: '对冲', kind: 'hedge', state: 'running' }],
    },
  ],
  failures: 3,
  failingSince: AT,
  rightsBefore: ['read', 'derivative'],
  rightsChangedAt: AT,
});
const ENDING = keyOf('ending', {
  exchange: 'okx',
  expiresAt: AT,
  daysLeft: 2,
  report: reportOf({
    ipRestricted: false,
    ipList: [],
    findings: [{ level: 'danger', name: '即将到期', text: '密钥还有 2 天到期' }],
  }),
});
const DANGEROUS = keyOf('dangerous', { state: 'dangerous', report: reportOf({ rights: ['read', 'withdraw'] }) });

const DESK: KeyDesk = {
  closed: null,
  exchange: {
    simulated: true,
    outboundIp: '203.0.113.10',
    examples: [{ key: 'demo-withdraw-0001', effect: '带提现权限：拒绝保存' }],
  },
  accounts: [{ id: 'a1', venue: 'simulated', mode: 'paper', apiKeyId: 'used' }],
};

/** One position that a deal explains in part, and one that somebody else has closed. */
const HELD: KeyHeld = {
  ...{
    at: AT,
    simulated: false,
    multiAsset: false,
    equity: '12345.5',
    available: '9000',
    initialMargin: '3000',
    maintenanceMargin: '450',
  },
  balances: [{ wallet: 'spot', asset: 'BTC', total: '0.12345678', free: '0.1' }],
  positions: [
    {
      ...{ symbol: 'BTCUSDT', side: 'short', quantity: '-0.012', ours: '-0.01', external: '-0.002' },
      ...{ entryPrice: '90000', markPrice: '91000', liquidationPrice: '120000', unrealised: '-12' },
    },
    {
      ...{ symbol: 'SOLUSDT', side: 'long', quantity: '0', ours: '3', external: '-3' },
      ...{ entryPrice: null, markPrice: null, liquidationPrice: null, unrealised: null },
    },
  ],
};

const lists = (...rows: ApiKeyRow[]) => answers(apiKey.list, { list: rows, total: rows.length });

beforeEach(() => {
  answers(apiKey.desk, DESK);
  answers(apiKey.held, HELD);
  lists(USED, ENDING, DANGEROUS, keyOf('damaged', { state: 'damaged', report: null }));
});

const open = (address = '/user/apiKey') => openConsole(address, 'trader');
const lineOf = async (text: string) =>
  (await screen.findAllByText(text)).map((node) => node.closest('tr')).find(Boolean)!;
const button = (where: HTMLElement, text: string | RegExp) => within(where).getByText(text).closest('button')!;
const wroteTo = (endpoint: { method: string; path: string }) =>
  sent.filter(({ method, path }) => method === endpoint.method && path === endpoint.path).map(({ body }) => body);
/** antd puts a blank between two characters of a button. */
const two = (word: string) => new RegExp(`^${[...word].join('\\s?')}$`);

test('shows keys masked, with what they may, how long, and what is wrong with them', async () => {
  open();
  expect(await lineOf('键 used')).toHaveTextContent(/币安.*正常.*\*{4}4321.*读取.*现货.*合约.*203\.0\.113\.10.*统一/);
  expect(await lineOf('键 ending')).toHaveTextContent(/OKX.*未限制.*剩 2 天/);
  // What is dangerous is named in red, and never called in order.
  expect((await within(await lineOf('键 ending')).findByText('即将到期')).closest('.ant-tag')).toHaveClass(
    'ant-tag-error',
  );
  expect(await lineOf('键 ending')).not.toHaveTextContent('正常');
  expect(await lineOf('键 dangerous')).toHaveTextContent(/可提现.*读取.*提现/);
  expect(await lineOf('键 damaged')).toHaveTextContent('已损坏');
  expect(screen.getByText(/由模拟交易所回答，不连接真实交易所/)).toBeInTheDocument();
  expect(screen.getByLabelText('复制 203.0.113.10')).toBeInTheDocument();
}, 90_000);

test('a row opens on what is needed against what is there; a key in use cannot be deleted', async () => {
  open();
  const line = await lineOf('键 used');
  expect(line).toHaveTextContent(/缺少合约/);
  expect(button(line, two('删除'))).toBeDisabled();
  await person.click(within(line).getByLabelText(/展开|Expand/));
  const matrix = await screen.findByLabelText('键 used 的权限对照');
  expect(matrix).toHaveTextContent(/读取有账户总览符合.*合约没有对冲缺少/);
  expect(matrix).toHaveTextContent(/币安（模拟盘）/);
  expect(screen.getByLabelText('测试结果')).toHaveTextContent(/（模拟）.*单向.*全仓.*请求权重12%.*VIP 1/);
  expect(screen.getByText(/交易所已连续 3 次拒绝/)).toBeInTheDocument();
  expect(screen.getByText(/改变了权限，此前为读取、合约/)).toBeInTheDocument();
});

test('a row that is opened shows what the account holds at its exchange, and what no deal explains', async () => {
  open();
  await person.click(within(await lineOf('键 used')).getByLabelText(/展开|Expand/));
  const account = await screen.findByLabelText('键 used 的账户');
  expect(await within(account).findByText('合约权益')).toBeInTheDocument();
  expect(account).toHaveTextContent(/只读，.*12,345\.50 USDT.*现货BTC0\.123456780\.1/);
  expect(account).toHaveTextContent(/BTCUSDT空-0\.012-0\.01-0\.002.*SOLUSDT多03-3/);
}, 60_000);

test('the totals of an account of many assets are in USD, as its exchange counts them', async () => {
  answers(apiKey.held, { ...HELD, multiAsset: true });
  open();
  await person.click(within(await lineOf('键 used')).getByLabelText(/展开|Expand/));
  const account = await screen.findByLabelText('键 used 的账户');
  await waitFor(() => expect(account).toHaveTextContent(/多资产保证金模式.*12,345\.50 USD可用9,000\.00 USD占用/));
}, 60_000);

test('an account that nobody tells of is not shown as empty', async () => {
  refuses(apiKey.held, REFUSALS.keyUnanswered);
  open();
  await person.click(within(await lineOf('键 used')).getByLabelText(/展开|Expand/));
  const account = await screen.findByLabelText('键 used 的账户');
  expect(await within(account).findByText(/交易所没有回答/)).toBeInTheDocument();
  expect(within(account).queryByText(/没有合约持仓|没有余额/)).toBeNull();
}, 60_000);

test('asks for what the address says, and puts filters there', async () => {
  open('/user/apiKey?exchange=okx&keyRight=withdraw&sort=-name');
  await lineOf('键 used');
  const [first] = sent.filter(({ path, query }) => path === apiKey.list.path && query.has('exchange'));
  expect(Object.fromEntries(first!.query)).toMatchObject({ exchange: 'okx', keyRight: 'withdraw', sort: '-name' });
  await person.type(screen.getByLabelText('搜索'), '4321');
  await waitFor(() => expect(place()).toContain('search=4321'));
});

describe('adding a key', () => {
  const drawer = async () => {
    open();
    await lineOf('键 used');
    await person.click(screen.getByText('添加密钥').closest('button')!);
    return screen.findByRole('dialog');
  };
  const fill = async (form: HTMLElement, values: Record<string, string>) => {
    for (const [label, text] of Object.entries(values)) await person.type(within(form).getByLabelText(label), text);
  };
  const TYPED = { 名称: '新', Key: ' typed-key-1 ', Secret: 'typed-secret-1' };

  test('asks for what is missing, tests what was typed, and saves it', async () => {
    answers(
      apiKey.test,
      reportOf({ findings: [{ level: 'warning', name: '没有 IP 白名单', text: '没有 IP 白名单' }] }),
    );
    answers(apiKey.create, keyOf('new'));
    const form = await drawer();
    await person.click(button(form, '测试连接'));
    expect(await within(form).findByText('请输入名称')).toBeInTheDocument();
    expect(within(form).getByText('请输入Secret')).toBeInTheDocument();
    await fill(form, TYPED);
    expect(within(form).getByLabelText('Secret')).toHaveAttribute('type', 'password');
    await person.click(button(form, '测试连接'));
    expect(await within(form).findByText('没有 IP 白名单')).toBeInTheDocument();
    const credentials = { exchange: 'binance', key: 'typed-key-1', secret: 'typed-secret-1' };
    expect(wroteTo(apiKey.test)).toEqual([credentials]);
    await person.click(button(form, '测试并保存'));
    await waitFor(() => expect(toasts()).toContain('密钥已加密保存'));
    expect(wroteTo(apiKey.create)).toEqual([{ ...credentials, name: '新' }]);
    expect(screen.queryByDisplayValue('typed-secret-1')).toBeNull();
  });

  test('says what the chosen exchange asks of a key and its account', async () => {
    const form = await drawer();
    const demands = within(form).getByText(/^币安：密钥开读取、现货与合约/);
    expect(demands).toBeVisible();
    // It is set off from what follows as every field is.
    const item = demands.closest('.ant-form-item');
    expect(item).not.toBeNull();
    expect(item).not.toContainElement(button(form, '测试连接'));
    await person.click(within(form).getByRole('combobox', { name: '交易所' }));
    await person.click(await screen.findByTitle('Bybit'));
    expect(await within(form).findByText(/^Bybit：密钥选读写.*统一账户.*带提现权限的密钥不会被保存/)).toBeVisible();
    expect(within(form).queryByText(/^币安：/)).toBeNull();
  });

  test('shows at its field why the server refuses a key, and keeps what was typed', async () => {
    const { code, message: text } = REFUSALS.keyWithdraws;
    refuses(apiKey.create, { code, message: text, data: { fields: [{ field: 'key', message: text }] } });
    const form = await drawer();
    await fill(form, { 名称: '新' });
    await person.click(within(form).getByText('demo-withdraw-0001').closest('button')!);
    await person.click(button(form, '测试并保存'));
    await waitFor(() => expect(within(form).getByLabelText('Key')).toHaveAccessibleDescription(text));
    expect(within(form).getByLabelText('Key')).toHaveValue('demo-withdraw-0001');
  });

  test('asks for a passphrase where the exchange has one, when a key is replaced too', async () => {
    answers(apiKey.rotate, ENDING);
    open();
    await person.click(button(await lineOf('键 ending'), two('更换')));
    const form = await screen.findByRole('dialog');
    await fill(form, { Key: 'typed-key-2', Secret: 'typed-secret-2' });
    await person.click(button(form, '测试并保存'));
    expect(await within(form).findByText('请输入Passphrase')).toBeInTheDocument();
    await fill(form, { Passphrase: 'typed-phrase' });
    await person.click(button(form, '测试并保存'));
    await waitFor(() => expect(toasts().join()).toMatch(/已更换/));
    const credentials = { key: 'typed-key-2', secret: 'typed-secret-2', passphrase: 'typed-phrase' };
    expect(wroteTo(apiKey.rotate)).toEqual([{ id: 'ending', ...credentials }]);
  });
});

test('tests, disables and deletes a stored key, and edits its name and note', async () => {
  answers(apiKey.test, reportOf());
  answers(apiKey.status, ENDING);
  answers(apiKey.remove, { id: 'ending' });
  answers(apiKey.edit, ENDING);
  open();
  const line = await lineOf('键 ending');
  await person.click(button(line, two('测试')));
  await waitFor(() => expect(toasts()).toContain('OKX · 键 ending：测试通过'));
  await person.click(button(line, two('停用')));
  await person.click(button(await screen.findByRole('dialog'), two('停用')));
  await waitFor(() => expect(wroteTo(apiKey.status)).toEqual([{ id: 'ending', enabled: false }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await person.click(button(line, two('删除')));
  await person.click(button(await screen.findByRole('dialog'), two('删除')));
  await waitFor(() => expect(wroteTo(apiKey.remove)).toEqual([{ id: 'ending' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await person.click(button(line, two('编辑')));
  const form = await screen.findByRole('dialog');
  await person.type(within(form).getByLabelText('备注'), '周一更换');
  await person.click(button(form, two('保存')));
  await waitFor(() => expect(wroteTo(apiKey.edit)).toEqual([{ id: 'ending', name: '键 ending', note: '周一更换' }]));
});

test('an account is offered the keys of its exchange, and why one cannot be taken from it stands there', async () => {
  lists(USED, ENDING, DANGEROUS, keyOf('spare'));
  refuses(apiKey.account, { ...REFUSALS.keyInUse, message: '密钥正在使用：对冲' });
  open();
  const choice = await screen.findByRole('combobox', { name: '币安（模拟盘） 使用的密钥' });
  await person.click(choice);
  const offered = within((await screen.findAllByRole('listbox')).at(-1)!.parentElement!);
  expect(await offered.findByTitle('币安 · 键 spare')).toBeInTheDocument();
  expect(offered.queryByTitle('OKX · 键 ending')).toBeNull();
  await person.click(offered.getByTitle('不使用密钥'));
  expect(await screen.findByText('密钥正在使用：对冲')).toBeInTheDocument();
  expect(wroteTo(apiKey.account)).toEqual([{ accountId: 'a1' }]);
  expect(toasts()).toEqual([]);
});

test('while the keys cannot be read, an account shows no id in the place of its key', async () => {
  refuses(apiKey.list, { code: 429, status: 429, message: '请求过于频繁，请 56 秒后再试' });
  open();
  expect(await screen.findByText('正在读取密钥')).toBeInTheDocument();
  expect(screen.queryByText(DESK.accounts[0]!.apiKeyId!)).toBeNull();
});

test('while the accounts cannot be read, says so with a way to try again', async () => {
  refuses(apiKey.desk, { code: 500, status: 500, message: '服务器内部错误' });
  open();
  const accounts = within(await screen.findByRole('region', { name: '交易账户' }));
  answers(apiKey.desk, DESK);
  await person.click(await accounts.findByRole('button', { name: two('重试') }));
  expect(await screen.findByText('币安 · 键 used')).toBeInTheDocument();
});

test('says what to do while there is no key, and why none can be stored', async () => {
  lists();
  answers(apiKey.desk, { closed: '请先设置 SECRET_KEY', exchange: null, accounts: [] });
  open();
  expect(await screen.findByText('还没有交易所密钥')).toBeInTheDocument();
  expect(await screen.findByText('请先设置 SECRET_KEY')).toBeInTheDocument();
  expect(screen.getByText(/没有跟随任何交易所/)).toBeInTheDocument();
  for (const add of screen.getAllByText('添加密钥')) expect(add.closest('button')).toBeDisabled();
});
