import type { KeyAccountType, KeyNeed, KeyRight, MarginMode, PositionMode, RightVerdict } from '#contract/apiKey';
import { LIVE_EXCHANGES, type LiveExchange, venueName } from '#contract/candle';
import { modeLabel } from '@/services/modeLabel';

export const RIGHT_LABEL: Record<KeyRight, string> = {
  read: '读取',
  spot: '现货',
  derivative: '合约',
  transfer: '划转',
  withdraw: '提现',
};

export const ACCOUNT_TYPE_LABEL: Record<KeyAccountType, string> = {
  ...{ spot: '现货', usdm: 'U 本位', unified: '统一', spotMode: '现货模式', futuresMode: '合约模式' },
  ...{ multiCurrency: '跨币种保证金', portfolio: '组合保证金', classic: '经典' },
  ...{ singleCurrency: '单币种保证金', oldMargin: '旧版保证金' },
};
export const POSITION_MODE_LABEL: Record<PositionMode, string> = { oneWay: '单向', twoWay: '双向' };
export const MARGIN_MODE_LABEL: Record<MarginMode, string> = { cross: '全仓', isolated: '逐仓' };

/** What holding a right against its need comes to: colour of the tag, and the word. */
export const VERDICT: Record<RightVerdict, { color: string; label: string }> = {
  fits: { color: 'success', label: '符合' },
  missing: { color: 'error', label: '缺少' },
  unneeded: { color: 'default', label: '不需要' },
  forbidden: { color: 'error', label: '禁止' },
  absent: { color: 'default', label: '没有，也不需要' },
  unknown: { color: 'warning', label: '未测试' },
};

/** What keys are called where they are spoken of. */
export const keyTitle = ({ exchange, name }: { exchange: LiveExchange; name: string }): string =>
  `${LIVE_EXCHANGES[exchange]} · ${name}`;

export const missingRights = (needs: readonly KeyNeed[]): string[] =>
  needs.filter(({ verdict }) => verdict === 'missing').map(({ right }) => RIGHT_LABEL[right]);

/** Where orders of an account go. */
export const accountLabel = ({ venue, mode }: { venue: string; mode: string }): string =>
  `${venueName(venue)}（${mode === 'live' ? modeLabel(mode) : '模拟盘'}）`;
