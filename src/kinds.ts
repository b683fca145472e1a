import type { Right } from '#contract/access';
import type { StrategyKind } from '#contract/strategyKind';

interface Kind {
  /** Who may open its screen, which is at `/strategy/<kind>`. */
  access: Right;
  /** Whether its params are a form, `pages/strategy/<kind>/form`; otherwise a desk of its own sets them. */
  hasForm: boolean;
}

/** Every kind of strategy as the console has it, in the order of the menu. */
export const KINDS: { [K in StrategyKind]: Kind } = {
  spread: { access: 'isMaster', hasForm: true },
  fundingRate: { access: 'isMaster', hasForm: true },
  cexRate: { access: 'isMaster', hasForm: true },
  hedge: { access: 'signedIn', hasForm: false },
  okx: { access: 'isMaster', hasForm: true },
  grid: { access: 'isMaster', hasForm: true },
};
