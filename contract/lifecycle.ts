import { wordsOf } from './words';
/** A hedge goes down this list; `closed` means that both legs are verified flat, `failed` that it never stood on both. */
export const HEDGE_STATES = ['waiting', 'opening', 'open', 'closing', 'closed', 'failed'] as const;
export type HedgeState = (typeof HEDGE_STATES)[number];

export const HEDGE_ACTIONS = ['close', 'note', 'reopen'] as const;
export type HedgeAction = (typeof HEDGE_ACTIONS)[number];

/** What its owner may do with a hedge in a state: read by the buttons and by the server. */
const ACTIONS_OF_STATE: Record<HedgeState, readonly HedgeAction[]> = {
  waiting: ['close', 'note'],
  opening: ['close', 'note'],
  open: ['close', 'note'],
  closing: ['note'],
  closed: ['note', 'reopen'],
  failed: ['note', 'reopen'],
};

export const hedgeAllows = (state: HedgeState, action: HedgeAction): boolean =>
  ACTIONS_OF_STATE[state].includes(action);

/** States after which nothing happens any more. */
export const HEDGE_ENDS: readonly HedgeState[] = ['closed', 'failed'];

/** Where a hedge may go from each state. */
export const HEDGE_STEPS: Record<HedgeState, readonly HedgeState[]> = {
  waiting: ['opening', 'failed'],
  opening: ['open', 'closing', 'failed'],
  open: ['closing'],
  closing: ['closed', 'failed'],
  closed: [],
  failed: [],
};

/** For so long a person's wish to trade once is good. */
export const ONCE_SECONDS = 30;
/** The longest that one deal waits until its own rule lets it in, hours. */
export const MOST_WAIT_HOURS = 168;

export const CLOSE_REASONS = [
  'manual',
  'exitZ',
  'takeProfit',
  'stopLoss',
  'maxHolding',
  'flatten',
  'kept',
  'liquidation',
  'deleveraged',
  'delisted',
  'delivery',
  'rateFlip',
  'rateGap',
  'converged',
  'done',
  'stockGone',
  'expiry',
  'rolled',
  'oneLeg',
  'refused',
  'cancelled',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** `registered` is committed and perhaps on its way; `inDoubt` went out and nobody knows what became of it. */
export const ORDER_STATE_LABEL = {
  registered: '已登记',
  open: '挂单中',
  filled: '全部成交',
  cancelled: '已撤销',
  expired: '已过期',
  refused: '被拒绝',
  inDoubt: '结果不明',
  lost: '未到达',
} as const;
export const ORDER_STATES = wordsOf(ORDER_STATE_LABEL);
export type OrderState = (typeof ORDER_STATES)[number];

/** Orders that may still change the position. */
export const ORDER_LIVE: readonly OrderState[] = ['registered', 'open', 'inDoubt'];

/** Only an order that rests can be cancelled. */
export const orderAllowsCancel = (state: OrderState): boolean => state === 'open';

export const ORDER_PURPOSE_LABEL = {
  entry: '开仓',
  exit: '平仓',
  complete: '补齐',
  unwind: '退回',
  rebalance: '再平衡',
  liquidation: '强平',
  adl: '自动减仓',
  delisting: '下架了结',
  delivery: '到期交割',
  outside: '外部',
} as const;
export const ORDER_PURPOSES = wordsOf(ORDER_PURPOSE_LABEL);
/** What the venue does by itself. */
export const FORCED_PURPOSES: readonly OrderPurpose[] = ['liquidation', 'adl', 'delisting', 'delivery'];
export type OrderPurpose = (typeof ORDER_PURPOSES)[number];
/** What an order that takes a position down is for. */
export const TAKES_DOWN: readonly OrderPurpose[] = ['exit', 'unwind', ...FORCED_PURPOSES];

export const LEG_LABEL = { long: '多头', short: '空头' } as const;
export const LEGS = wordsOf(LEG_LABEL);
export type Leg = (typeof LEGS)[number];

export const ORDER_SIDE_LABEL = { buy: '买入', sell: '卖出' } as const;

/** What is wrong with a real account, so that nothing more is opened in it. */
export const ACCOUNT_TROUBLE_LABEL = {
  keyRefused: '密钥被拒绝',
  clockOff: '服务器时钟偏差过大',
  journalBehind: '成交记录没有读全',
} as const;
export type AccountTrouble = keyof typeof ACCOUNT_TROUBLE_LABEL;
export const ACCOUNT_TROUBLES = Object.keys(ACCOUNT_TROUBLE_LABEL) as AccountTrouble[];

/** Why a pair does not enter now. */
export const PAIR_BLOCKS = [
  'disabled',
  'tripped',
  'userBlocked',
  'paused',
  'pausedForAll',
  'lossLimit',
  'unvalued',
  'keyRefused',
  'clockOff',
  'journalBehind',
  'unarmed',
  'closedByHand',
  'unconfirmed',
  'used',
  'open',
  'slots',
  'blacklisted',
  'notTradable',
  'stalePrice',
  'priceJump',
  'noHistory',
  'waitsForZ',
  'belowMinimum',
  'noAccount',
  'margin',
  'overCap',
  'out',
  'depth',
  'incomplete',
  'borrow',
  'noPayback',
  'adl',
  'young',
  'waitsForApr',
  'waitsForGap',
  'waitsForEdge',
  'waitsForStreak',
  'latency',
  'cooldown',
  'retryLater',
  'exitTooNear',
  'waitsForPerson',
  'dayLimit',
  'inventory',
  'waitsForStock',
  'noCoin',
  'holdTooShort',
  'coinCap',
  'balance',
  'wallet',
  'costs',
  'trigger',
  'outOfRange',
  'lostBefore',
  'ticketMoved',
  'ticketExpired',
  'positionGone',
] as const;
export type PairBlock = (typeof PAIR_BLOCKS)[number];
/** Blocks that the end of another deal lifts: what would have opened at once and met one of these is opened by a person alone. */
const NO_ROOM: readonly PairBlock[] = ['slots', 'margin', 'overCap'];
export const hasNoRoom = (block: PairBlock): boolean => NO_ROOM.includes(block);

/**
 * Why a target is opened by nobody but a person: `closed`, a person closed or took back what it was opened with;
 * `confirm`, it would have been opened at once and had no room, or was left out when a person chose what opens.
 */
export const TARGET_HOLDS = ['closed', 'confirm'] as const;
export type TargetHold = (typeof TARGET_HOLDS)[number];

/** What keeps everything of a user from opening, whatever its strategies say. */
export const HOLD_BACKS = [
  'userBlocked',
  'pausedForAll',
  'lossLimit',
  'paused',
  'unvalued',
] as const satisfies readonly PairBlock[];
export type HoldBack = (typeof HOLD_BACKS)[number];

export const HEDGE_EVENTS = [
  'created',
  'registered',
  'sent',
  'refused',
  'inDoubt',
  'found',
  'lost',
  'filled',
  'expired',
  'cancelled',
  'opened',
  'oneLeg',
  'completing',
  'unwinding',
  'rebalancing',
  'closing',
  'closed',
  'failed',
  'funding',
  'frozen',
  'thawed',
  'liquidated',
  'deleveraged',
  'delisted',
  'delivered',
  'governed',
  'writtenOff',
  'handedOver',
  'takenIn',
  'rolled',
  'limits',
  'reducing',
  'reduced',
] as const;
export type HedgeEventKind = (typeof HEDGE_EVENTS)[number];

/** Why a hedge is not held against a backtest; `underHour` says nothing on bars of an hour and is left out of sums. */
export const NOT_COMPARED = ['underHour', 'noSource', 'noCandles', 'tooShort'] as const;
export type NotCompared = (typeof NOT_COMPARED)[number];

/** After one leg has been without the others this long, what is missing is completed at a wider cap; as long again, and what is held is unwound. ms */
export const ONE_LEG_MS = 10_000;
/** So long one leg stands without the others at most: then it is unwound. ms */
export const ALONE_MS = 2 * ONE_LEG_MS;

/** Both legs of an exit that rests stand in the book for so long; what is left then is taken from it. ms */
export const REST_MS = 60_000;

/** What rests to bring a leg in is placed anew at the best price of its side after so long. ms */
export const PEG_MS = 20_000;

/** States in which a frozen deal may be let go on. */
export const UNFREEZE_STATES: readonly HedgeState[] = ['waiting', 'opening', 'open'];

/** Legs that are farther apart than this part of the larger one are not balanced. */
export const UNBALANCED = 0.005;

/** How a person brings legs together that are apart: the smaller one is filled up, or the larger one taken down. */
export const REBALANCE_LABEL = { complete: '补齐', unwind: '退回' } as const;
export const REBALANCE_WAYS = wordsOf(REBALANCE_LABEL);
export type RebalanceWay = (typeof REBALANCE_WAYS)[number];

/** Why no figure of a year is made of a deal. */
export const HELD_BRIEFLY = '持有不足 30 天';

/** What somebody thinks of a coin. */
export const DIRECTION_LABEL = { long: '多', short: '空', neutral: '观望' } as const;
export const DIRECTIONS = wordsOf(DIRECTION_LABEL);
export type Direction = (typeof DIRECTIONS)[number];
