import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { LIVE_EXCHANGES, type LiveExchange, liveSource, type SimulatedSource } from './candle';
import { Decimal } from './decimal';
import { endpoint } from './endpoint';
import type { FieldErrors } from './envelope';
import {
  AsDecimal,
  At,
  Choice,
  ChoiceFilter,
  Count,
  Exact,
  Figure,
  Gain,
  MaybeWord,
  Moment,
  Percent,
  Price,
  Word,
} from './field';
import { listOf, listQuery } from './list';
import { holdsBareStock, leavesCoin, type StrategyKind, TRADED } from './strategy';
import { Instant, Labelled, Maybe, OneOf, Text } from './value';

/** The exchange that a venue is, or stands for. */
const EXCHANGE_OF_VENUE: Record<SimulatedSource, LiveExchange> = {
  simulated: 'binance',
  'simulated-okx': 'okx',
  'simulated-bybit': 'bybit',
};
/** Whether an account at that venue can be opened by a key of that exchange. */
export const fitsVenue = (exchange: string, venue: string): boolean =>
  exchange === (EXCHANGE_OF_VENUE[venue as SimulatedSource] ?? venue) || liveSource(exchange as LiveExchange) === venue;

/** What a key may do at its exchange. */
export const KEY_RIGHTS = ['read', 'spot', 'derivative', 'transfer', 'withdraw'] as const;
export type KeyRight = (typeof KEY_RIGHTS)[number];

/** What a strategy asks of the key that it trades by, of which coin alone needs no contracts; the console itself reads balances. */
export const keyNeeds = (kind: StrategyKind, params: unknown): readonly KeyRight[] =>
  leavesCoin(kind, params) || holdsBareStock(kind, params) ? ['read', 'spot'] : ['read', ...TRADED[kind]];

/** Exchanges whose keys have a passphrase. */
const WITH_PASSPHRASE: readonly LiveExchange[] = ['okx'];
export const hasPassphrase = (exchange: LiveExchange): boolean => WITH_PASSPHRASE.includes(exchange);

/**
 * `locked` was sealed with a master key that is not here, `dangerous` may withdraw, `failed` was refused by its exchange
 * or got no answer from it.
 */
export const KEY_STATE_LABEL = {
  ready: '正常',
  untested: '未测试',
  failed: '测试失败',
  expired: '已过期',
  dangerous: '可提现',
  disabled: '已停用',
  locked: '无法读取',
  damaged: '已损坏',
} as const;
export type KeyState = keyof typeof KEY_STATE_LABEL;

/** `unavailable`: there is no exchange to ask. */
export const KEY_OUTCOMES = ['accepted', 'rejected', 'unanswered', 'unavailable'] as const;

/** Those of the second row are modes of an account at OKX, Bybit or Gate. */
export const KEY_ACCOUNT_TYPES = [
  ...(['spot', 'usdm', 'unified'] as const),
  ...(['spotMode', 'futuresMode', 'multiCurrency', 'portfolio', 'classic', 'singleCurrency', 'oldMargin'] as const),
] as const;
export type KeyAccountType = (typeof KEY_ACCOUNT_TYPES)[number];
const OTHER_MODES: readonly KeyAccountType[] = [
  ...(['spotMode', 'multiCurrency', 'portfolio', 'classic', 'singleCurrency', 'oldMargin'] as const),
];
/** Whether an account is in a mode that is not traded: one without contracts, or whose margin is reckoned in another way. */
export const isOtherMode = (type: KeyAccountType | null): boolean => type !== null && OTHER_MODES.includes(type);
/** What each exchange asks of a key and its account where real orders are sent, in its own words. */
export const KEY_DEMANDS: Record<LiveExchange, string> = {
  binance: '币安：密钥开读取、现货与合约',
  okx: 'OKX：密钥开读取与交易；账户模式为合约模式',
  bybit: 'Bybit：密钥选读写，开“合约 - 订单、持仓”与“现货 - 交易”；账户是统一账户，保证金模式为全仓',
  gate: 'Gate：用主账户的密钥，“现货”“永续合约”开读写，“账户”开只读；账户是经典账户，现货与永续合约各先转入 USDT',
};
export const POSITION_MODES = ['oneWay', 'twoWay'] as const;
export type PositionMode = (typeof POSITION_MODES)[number];
export const MARGIN_MODES = ['cross', 'isolated'] as const;
export type MarginMode = (typeof MARGIN_MODES)[number];

/** Days before its end at which a key is shown as a warning, and as a danger. */
export const EXPIRY_WARNING_DAYS = 14;
export const EXPIRY_DANGER_DAYS = 3;
/** Days before its end at which the user is told of it, the earliest first. */
export const EXPIRY_NEWS_DAYS = [14, 3, 1] as const;
/** Milliseconds by which the clocks may differ. */
export const SKEW_WARNING_MS = 1_000;
/** Share of what an exchange lets a key ask in a minute, by the weight of its requests. */
export const WEIGHT_WARNING = 0.8;

/** Most keys of a user. */
export const KEYS_PER_USER = 50;

export const KeyFinding = Obj({
  level: OneOf(['danger', 'warning'] as const),
  name: Str({ description: '几个字，用在状态上' }),
  text: Str({ description: '一句中文' }),
});
export type KeyFinding = Static<typeof KeyFinding>;

/** What an exchange has said of a key. What it did not say is null. */
export const KeyReport = Obj({
  at: Instant('测试时间'),
  simulated: Bool({ description: '由模拟交易所回答，不是真实交易所' }),
  outcome: OneOf(KEY_OUTCOMES),
  reason: Maybe(Str({ description: '没有通过的原因，中文' })),
  rights: Maybe(Arr(OneOf(KEY_RIGHTS))),
  accountType: Maybe(OneOf(KEY_ACCOUNT_TYPES)),
  uid: Maybe(Str({ description: '交易所给账户的编号（UID）' })),
  ipRestricted: Maybe(Bool({ description: '是否只有白名单里的 IP 能使用' })),
  ipList: Maybe(Arr(Str(), { description: 'IP 白名单；空为不限制，没有说明有哪些时为空值' })),
  expiresAt: Maybe(Instant('到期时间')),
  positionMode: Maybe(OneOf(POSITION_MODES)),
  marginMode: Maybe(OneOf(MARGIN_MODES)),
  cancelsForGone: Maybe(Bool({ description: '失去联系后交易所是否替账户撤单；没有时实盘不挂单' })),
  skewMs: Maybe(Num({ description: '毫秒，交易所时间 − 本机时间' })),
  latencyMs: Maybe(Num({ description: '毫秒，来回一次' })),
  weightUsed: Maybe(Num({ description: '一分钟内已用的请求权重 / 交易所的上限，分数' })),
  feeTier: Maybe(Str()),
  makerFee: Maybe(Num({ description: '分数' })),
  takerFee: Maybe(Num({ description: '分数' })),
  multiAsset: Maybe(Bool({ description: '多资产保证金模式：合计以 USD 计，否则以 USDT 计' })),
  equity: Maybe(Num({ description: '账户权益，单位见 multiAsset' })),
  findings: Arr(KeyFinding, { description: '现在要注意的事，严重的在前' }),
});
export type KeyReport = Static<typeof KeyReport>;

/** `missing` is needed and not there, `unneeded` is there for nothing, `forbidden` must not be there. */
export const RIGHT_VERDICTS = ['fits', 'missing', 'unneeded', 'forbidden', 'absent', 'unknown'] as const;
export type RightVerdict = (typeof RIGHT_VERDICTS)[number];

export const KeyNeed = Obj({
  right: OneOf(KEY_RIGHTS),
  has: Maybe(Bool({ description: '没有测试时为空' })),
  neededBy: Arr(Str(), { description: '需要它的策略，按名称' }),
  verdict: OneOf(RIGHT_VERDICTS),
});
export type KeyNeed = Static<typeof KeyNeed>;

const KeyUse = Obj({
  accountId: Str(),
  venue: Str(),
  mode: Str(),
  strategies: Arr(Obj({ id: Str(), name: Str(), kind: Str(), state: Str() })),
});

/** Why nothing is known of what an exchange says of a key. */
export const KEY_UNTESTED = '还没有测试，或交易所没有说明';

/** A stored key. Of the key itself nothing but its last four characters ever leaves the server, of the secret nothing. */
export const ApiKeyRow = Obj({
  id: Str(),
  name: Word('名称'),
  exchange: Choice(LIVE_EXCHANGES, '交易所'),
  state: Choice(KEY_STATE_LABEL, '状态', { text: '最近一次测试的结果；悬停看要注意的事' }),
  /** **** and the last four characters of it. */
  maskedKey: Word('Key', { text: '只显示末四位；Secret 只写入，从不回显' }),
  subAccount: MaybeWord('子账户', { spare: true }),
  enabled: Bool(),
  /** The last test; null before the first one. */
  report: Maybe(KeyReport),
  expiresAt: Moment('到期日', { first: 'ascend' }),
  daysLeft: Maybe(Integer({ description: '整天，向下取整；已过期为负' })),
  usedAt: Moment('最近使用', {
    missing: '还没有用过',
    text: '最近一次测试或开户时用它询问交易所；实盘账户运行时一直在用它，不在此计',
  }),
  latencyMs: Figure('延迟 (ms)', { digits: 0, missing: KEY_UNTESTED }),
  weightUsed: Percent('请求权重', {
    ...{ digits: 0, missing: KEY_UNTESTED },
    text: '最近一次询问时，一分钟内已用的请求权重 / 交易所的上限；超过 80 % 会通知',
  }),
  needs: Arr(KeyNeed),
  uses: Arr(KeyUse),
  strategies: Count('使用策略', '', { text: '用它交易的策略数，以及它们缺少的权限；展开看对照' }),
  createdAt: At('创建时间'),
  note: Word('备注'),
  rotatedAt: Moment('更换时间', { spare: true, missing: '没有更换过' }),
  failures: Integer({ description: '交易所连续拒绝的次数' }),
  failingSince: Maybe(Instant('从何时起被拒绝')),
  /** null while the exchange never said otherwise. */
  rightsBefore: Maybe(Arr(OneOf(KEY_RIGHTS), { description: '上一次变化之前的权限' })),
  rightsChangedAt: Maybe(Instant('发现权限变化的时间')),
});
export type ApiKeyRow = Static<typeof ApiKeyRow>;

/** What the screen needs to know beside the keys. */
export const KeyDesk = Obj({
  /** Why no key can be stored now; null when one can. */
  closed: Maybe(Str()),
  /** null: there is no exchange to test by. */
  exchange: Maybe(
    Obj({
      simulated: Bool(),
      outboundIp: Maybe(Str({ description: '交易所看到的本服务地址，填入 IP 白名单' })),
      examples: Arr(Obj({ key: Str(), effect: Str() }), { description: '模拟交易所认得的 key 及其结果' }),
    }),
  ),
  accounts: Arr(Obj({ id: Str(), venue: Str(), mode: Str(), apiKeyId: Maybe(Str()) }), {
    description: '本人的交易账户与各自使用的密钥',
  }),
});
export type KeyDesk = Static<typeof KeyDesk>;

/** Where money of a real account lies. */
const WALLET_LABEL = { usdm: 'U 本位合约', spot: '现货', unified: '交易账户' } as const;
const SIDE_LABEL = { long: '多', short: '空' } as const;

export const KeyBalance = Obj({
  wallet: Choice(WALLET_LABEL, '钱包'),
  asset: Word('资产'),
  total: Exact('余额'),
  free: Exact('可用'),
});
export type KeyBalance = Static<typeof KeyBalance>;

/** A position of a real account against what deals hold in it. Signed quantities of the base currency. */
export const KeyPosition = Obj({
  symbol: Word('合约'),
  side: Choice(SIDE_LABEL, '方向'),
  quantity: Exact('交易所'),
  ours: Exact('交易单', { text: '进行中的交易单在用它的实盘账户里持有的数量' }),
  external: Exact('外部', {
    formula: '交易所 − 交易单',
    text: '没有交易单解释的数量：手动或其他程序开的，本系统不动它',
  }),
  entryPrice: AsDecimal(Price('开仓均价', { missing: '现货没有，或交易所里没有这个持仓' })),
  markPrice: AsDecimal(Price('标记价', { missing: '现货没有，或交易所里没有这个持仓' })),
  liquidationPrice: AsDecimal(Price('强平价', { missing: '没有强平价' })),
  unrealised: AsDecimal(Gain('未实现盈亏', { missing: '现货没有，或交易所里没有这个持仓' })),
});
export type KeyPosition = Static<typeof KeyPosition>;

const Total = () => Decimal({ description: '单位见 multiAsset' });

/** What an exchange counts the totals of an account in. */
export const totalsIn = ({ multiAsset }: { multiAsset: boolean | null }) => (multiAsset ? 'USD' : 'USDT');

/** What the account of a key holds, by its exchange. */
export const KeyHeld = Obj({
  at: Instant('询问时间'),
  simulated: Bool({ description: '由模拟交易所回答，不是真实交易所' }),
  multiAsset: Bool({ description: '多资产保证金模式：合计以 USD 计，否则以 USDT 计' }),
  equity: Total(),
  available: Total(),
  initialMargin: Total(),
  maintenanceMargin: Total(),
  balances: Arr(KeyBalance),
  positions: Arr(KeyPosition),
});
export type KeyHeld = Static<typeof KeyHeld>;

const VISIBLE = '^[\\u0021-\\u007e]+$';
const credential = (title: string, minLength: number, maxLength: number) =>
  Str({ title, minLength, maxLength, pattern: VISIBLE, description: `${title}只能含可见的英文字符，不含空格` });

const Id = Text({ title: '密钥', minLength: 1, maxLength: 64 });
const Name = Str({
  title: '名称',
  minLength: 1,
  maxLength: 32,
  // No blanks at the ends, no control characters, no lone surrogates.
  pattern: '^(?!\\s)[^\\u0000-\\u001f\\u007f\\uD800-\\uDFFF]*[^\\s\\u0000-\\u001f\\u007f\\uD800-\\uDFFF]$',
  description: '名称首尾不能有空白，也不能含控制字符',
});
const SubAccount = Str({
  title: '子账户',
  minLength: 1,
  maxLength: 64,
  pattern: VISIBLE,
  description: '子账户只能含可见的英文字符，不含空格',
});

/** What a key consists of, as it is typed. */
const CREDENTIALS = {
  key: credential('Key', 8, 256),
  secret: credential('Secret', 8, 512),
  passphrase: Optional(credential('Passphrase', 1, 64)),
};

export const NewApiKey = Obj(
  {
    exchange: Labelled(LIVE_EXCHANGES, { title: '交易所' }),
    name: Name,
    ...CREDENTIALS,
    subAccount: Optional(SubAccount),
  },
  { additionalProperties: false },
);
export type NewApiKey = Static<typeof NewApiKey>;

export const KEY_NOTE_LENGTH = 200;

/** Rules across the fields of typed credentials. */
export function credentialErrors(typed: {
  exchange: LiveExchange;
  passphrase?: string | undefined;
}): FieldErrors['fields'] {
  const given = typed.passphrase !== undefined && typed.passphrase !== '';
  if (hasPassphrase(typed.exchange) === given) return [];
  return [{ field: 'passphrase', message: given ? '只有 OKX 的密钥有 Passphrase' : '请输入Passphrase' }];
}

const TAG = 'API 密钥';
const RIGHT = 'signedIn';

export const apiKey = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/apiKey',
    right: RIGHT,
    tag: TAG,
    summary: '本人的交易所密钥，只有掩码；权限与策略所需的对照',
    query: Obj({
      ...listQuery(50),
      exchange: Optional(Labelled(LIVE_EXCHANGES, { title: '交易所' })),
      state: ChoiceFilter(KEY_STATE_LABEL, '状态'),
      keyRight: Optional(OneOf(KEY_RIGHTS, { title: '权限' })),
      search: Optional(Text({ title: '搜索', maxLength: 64, description: '名称、末四位、子账户或备注' })),
    }),
    data: listOf(ApiKeyRow),
  }),
  desk: endpoint({
    method: 'GET',
    path: '/api/user/apiKey/desk',
    right: RIGHT,
    tag: TAG,
    summary: '能否保存密钥、由谁测试、本人的交易账户',
    data: KeyDesk,
  }),
  held: endpoint({
    method: 'GET',
    path: '/api/user/apiKey/held',
    right: RIGHT,
    tag: TAG,
    summary: '密钥所属账户在交易所的余额与持仓，只读；没有交易单解释的为外部',
    query: Obj({ id: Id }, { additionalProperties: false }),
    data: KeyHeld,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/apiKey',
    right: RIGHT,
    fresh: true,
    tag: TAG,
    summary: '添加密钥：测试后加密保存；带提现权限、已过期或交易所不认的拒绝保存',
    body: NewApiKey,
    data: ApiKeyRow,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/apiKey',
    right: RIGHT,
    tag: TAG,
    summary: '删除密钥；有未停止的策略在用时拒绝，并列出它们',
    body: Obj({ id: Id }, { additionalProperties: false }),
    data: Obj({ id: Str() }),
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/user/apiKey',
    right: RIGHT,
    tag: TAG,
    summary: '修改密钥的名称与备注',
    body: Obj(
      { id: Id, name: Name, note: Text({ title: '备注', maxLength: KEY_NOTE_LENGTH }) },
      { additionalProperties: false },
    ),
    data: ApiKeyRow,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/user/apiKey/test',
    right: RIGHT,
    tag: TAG,
    summary: '测试密钥的连接：给出 id 测试已保存的密钥，或给出各项测试尚未保存的；不保存填写的内容',
    body: Obj(
      {
        id: Optional(Id),
        exchange: Optional(Labelled(LIVE_EXCHANGES, { title: '交易所' })),
        key: Optional(CREDENTIALS.key),
        secret: Optional(CREDENTIALS.secret),
        passphrase: CREDENTIALS.passphrase,
        subAccount: Optional(SubAccount),
      },
      { additionalProperties: false },
    ),
    data: KeyReport,
  }),
  rotate: endpoint({
    method: 'PUT',
    path: '/api/user/apiKey/rotate',
    right: RIGHT,
    fresh: true,
    tag: TAG,
    summary: '更换密钥：以新的 key 与 secret 替换，名称与用它的账户不变；测试规则同保存',
    body: Obj({ id: Id, ...CREDENTIALS }, { additionalProperties: false }),
    data: ApiKeyRow,
  }),
  status: endpoint({
    method: 'PUT',
    path: '/api/user/apiKey/status',
    right: RIGHT,
    tag: TAG,
    summary: '停用或启用密钥',
    body: Obj({ id: Id, enabled: Bool({ title: '启用' }) }, { additionalProperties: false }),
    data: ApiKeyRow,
  }),
  account: endpoint({
    method: 'PUT',
    path: '/api/user/apiKey/account',
    right: RIGHT,
    tag: TAG,
    summary: '指定本人的一个交易账户使用哪个密钥，须是该交易所的；不给 id 则不使用，有未停止的策略在用时拒绝',
    body: Obj(
      { accountId: Text({ title: '交易账户', minLength: 1, maxLength: 64 }), id: Optional(Id) },
      { additionalProperties: false },
    ),
    data: Obj({ accountId: Str(), id: Maybe(Str()) }),
  }),
};
