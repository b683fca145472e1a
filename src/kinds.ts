import type { Right } from '#contract/access';
import type { StrategyKind } from '#contract/strategy';

interface Kind {
  label: string;
  /** Who may open its screen, which is at `/strategy/<kind>`. */
  access: Right;
  /** Whether its params are a form, `pages/strategy/<kind>/form`; otherwise a desk of its own sets them. */
  hasForm: boolean;
}

/** Every kind of strategy as the console has it, in the order of the menu. */
export const KINDS: { [K in StrategyKind]: Kind } = {
  spread: { label: '期货价差', access: 'isMaster', hasForm: true },
  fundingRate: { label: '资金费率', access: 'isMaster', hasForm: true },
  cexRate: { label: '跨所费率', access: 'isMaster', hasForm: true },
  hedge: { label: '多空对冲', access: 'signedIn', hasForm: false },
  okx: { label: '交易所套利', access: 'isMaster', hasForm: true },
  grid: { label: '花式网格', access: 'isMaster', hasForm: true },
};
