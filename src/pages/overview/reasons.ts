import type { AccountState } from '#contract/account';

const VENUE_FAILED = '读取失败：交易场所没有回答';

/** Why a figure that needs the value of the account is not there. */
export const valueReason = ({ unpriced }: AccountState): string =>
  unpriced.length > 0 ? `没有价格：${unpriced.join('、')}` : '账户还没有资金';

/** Why a figure that needs the venue is not there. */
export const venueReason = (account: AccountState, otherwise: string): string =>
  account.venue === 'failed' ? VENUE_FAILED : account.unpriced.length > 0 ? valueReason(account) : otherwise;
