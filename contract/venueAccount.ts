import { Array as Arr, Integer, Number as Num, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { NO_VALUE } from './accountRows';
import { ORDER_SOURCES, VENUES } from './candle';
import { Decimal, Kept } from './decimal';
import { endpoint } from './endpoint';
import { Always, Amount, AsDecimal, At, Choice, Exact, Figure, Moment, Percent, shown, Venue, Word } from './field';
import { listOf, listQuery } from './list';
import { ModeField } from './strategy';
import { Instant, Maybe, OneOf, Text } from './value';

const Usdt = (description?: string) => Decimal({ description: description ? `USDT，${description}` : 'USDT' });
const AccountName = Text({ title: '账户名称', minLength: 1, maxLength: 32 });
const AccountId = (title: string) => Text({ title, minLength: 1, maxLength: 64 });

/** USDT that a paper account may be opened with. */
const OPENING_AMOUNT = { minimum: 1_000, maximum: 10_000_000 } as const;
/** USDT that may be moved at once. */
const TRANSFER_AMOUNT = { minimum: 1, maximum: 10_000_000 } as const;

export const UNANSWERED = '交易所没有回答';

/** Where a user's money lies at one venue, as it is now. */
export const VenueAccount = Obj({
  id: Str(),
  name: Word('账户'),
  venue: Venue('交易所'),
  mode: ModeField,
  latencyMs: Maybe(Num({ description: '询问用时，毫秒' })),
  recordedAt: Maybe(Instant('最近一次记入权益曲线')),
  pending: Maybe(Integer({ description: '交易所已发生而尚未入账的事件' })),
  equity: AsDecimal(Amount('权益', { missing: NO_VALUE })),
  share: Percent('占比', { missing: '总权益未知或不为正', text: '模拟与实盘各自合计中的占比' }),
  available: AsDecimal(Amount('可用', { missing: UNANSWERED, formula: '保证金余额 − 持仓与挂单占用的保证金' })),
  withdrawable: AsDecimal(Amount('可划出', { missing: UNANSWERED, formula: '余额与可用保证金中较小者，不含挂单占用' })),
  marginRatio: Percent('保证金率', { missing: UNANSWERED }),
  positions: Figure('持仓数', { digits: 0, missing: UNANSWERED }),
  /** `failed`: it could not be asked, which is never read as empty. */
  state: shown(OneOf(['ok', 'failed'] as const), '数据状态', { form: 'word' }),
  openedAt: Moment('开户'),
});
export type VenueAccount = Static<typeof VenueAccount>;

/**
 * `asked`: nothing has left yet, also while a venue is out or its wallet is shut; `transit`: it left the one and has not
 * come to the other; `failed`: it never left.
 */
export const TRANSFER_STATE_LABEL = { asked: '等待转出', transit: '途中', arrived: '到账', failed: '失败' } as const;
export type TransferState = keyof typeof TRANSFER_STATE_LABEL;
const TRANSFER_STATES = Object.keys(TRANSFER_STATE_LABEL) as TransferState[];

const end = (title: string) => shown(Obj({ id: Str(), name: Str(), venue: Str() }), title, { form: 'word' });

export const Transfer = Obj({
  id: Str(),
  askedAt: At('申请时间'),
  from: end('转出'),
  to: end('转入'),
  asset: Str({ description: 'USDT，或币种' }),
  amount: Exact('数量'),
  value: Maybe(Usdt('币离开时的价值；USDT 与尚未离开的为空')),
  fee: Always(AsDecimal(Amount('手续费', { unit: 'USDT' }))),
  state: Choice(TRANSFER_STATE_LABEL, '状态'),
  leftAt: Maybe(Instant('转出时间')),
  dueAt: Maybe(Instant('预计到账')),
  arrivedAt: Moment('到账时间'),
  reason: Maybe(Str({ description: '失败或等待的原因，中文' })),
});
export type Transfer = Static<typeof Transfer>;

/** Base currency of a coin: digits after the point. */
const COIN_DIGITS = 8;

const row = { right: 'signedIn', tag: '账户' } as const;

export const venueAccount = {
  list: endpoint({
    ...row,
    method: 'GET',
    path: '/api/account/list',
    summary: '自己在各交易所的账户：权益、可划出、数据状态，与在途金额',
    data: Obj({
      at: Instant('计算时间'),
      list: Arr(VenueAccount, { description: '首个账户在前' }),
      inTransit: Usdt('已转出尚未到账'),
      total: Maybe(Usdt('各模拟账户权益与在途之和；有账户无法计价时为空')),
    }),
  }),
  open: endpoint({
    ...row,
    method: 'POST',
    path: '/api/account/open',
    summary: '在另一个交易所开一个模拟账户，本金记为外部入金。每个交易所一个',
    body: Obj(
      {
        name: AccountName,
        venue: OneOf(VENUES, { title: '交易所' }),
        amount: Integer({ title: '本金', ...OPENING_AMOUNT, description: 'USDT' }),
      },
      { additionalProperties: false },
    ),
    data: Obj({ id: Str() }),
  }),
  openLive: endpoint({
    ...row,
    method: 'POST',
    path: '/api/account/open/live',
    summary: '用自己的交易所密钥开户：权益就是交易所账户里的。须开启两步验证，每个交易所一个',
    fresh: true,
    body: Obj(
      {
        name: AccountName,
        venue: OneOf(ORDER_SOURCES, { title: '交易所' }),
        apiKeyId: Text({ title: '密钥', minLength: 1, maxLength: 64, description: '该交易所的，已启用' }),
      },
      { additionalProperties: false },
    ),
    data: Obj({ id: Str() }),
  }),
  transfer: endpoint({
    ...row,
    method: 'POST',
    path: '/api/account/transfer',
    summary: '在自己的账户之间划转 USDT：先扣，途中，后到账；手续费由转出账户另付',
    body: Obj(
      {
        from: AccountId('转出账户'),
        to: AccountId('转入账户'),
        amount: Kept({ title: '金额', ...TRANSFER_AMOUNT, decimals: 2, description: 'USDT，到账金额' }),
      },
      { additionalProperties: false },
    ),
    data: Obj({ id: Str(), state: OneOf(TRANSFER_STATES, { title: '状态' }), fee: Usdt(), minutes: Num() }),
  }),
  transferCoin: endpoint({
    ...row,
    method: 'POST',
    path: '/api/account/transfer/coin',
    summary: '在自己的账户之间划转币：先扣，途中按离开时的价值计入权益，后到账；手续费以 USDT 由转出账户另付',
    body: Obj(
      {
        from: AccountId('转出账户'),
        to: AccountId('转入账户'),
        coin: Text({ title: '币种', minLength: 1, maxLength: 32 }),
        quantity: Kept({ title: '数量', minimum: 0.00000001, maximum: 100_000_000, decimals: COIN_DIGITS }),
      },
      { additionalProperties: false },
    ),
    data: Obj({
      id: Str(),
      state: OneOf(TRANSFER_STATES, { title: '状态' }),
      fee: Usdt(),
      minutes: Num(),
      network: Maybe(Str({ description: '网络' })),
    }),
  }),
  transfers: endpoint({
    ...row,
    method: 'GET',
    path: '/api/account/transfer',
    summary: '自己的划转，USDT 与币，新的在前',
    query: Obj({ ...listQuery(20), state: Optional(OneOf(TRANSFER_STATES, { title: '状态' })) }),
    data: listOf(Transfer),
  }),
};
