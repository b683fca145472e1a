import { Unknown } from 'typebox';
import type { FieldErrors } from './envelope';
import { cexRateDesk } from './kinds/cexRate/desk';
import { CexRateParams, cexRateErrors } from './kinds/cexRate/params';
import { cexRateScan } from './kinds/cexRate/scan';
import { fundingRateDesk } from './kinds/fundingRate/desk';
import { FundingParams, fundingErrors } from './kinds/fundingRate/params';
import { fundingScan } from './kinds/fundingRate/scan';
import { gridDeal } from './kinds/grid/deal';
import { GridParams, gridErrors, isSpotGrid } from './kinds/grid/params';
import { gridScan } from './kinds/grid/scan';
import { HedgeSettings, settingsErrors } from './kinds/hedge/config';
import { okxDesk } from './kinds/okx/desk';
import { OkxParams, okxErrors } from './kinds/okx/params';
import { arbitrageScan } from './kinds/okx/scan';
import { spreadDesk } from './kinds/spread/desk';
import { SpreadParams, spreadErrors } from './kinds/spread/params';
import { spreadScan } from './kinds/spread/scan';
import { mayBeReal, STRATEGY_KIND_LABEL, STRATEGY_KINDS, type StrategyKind } from './strategyKind';
import { Labelled } from './value';
import { wordsOf } from './words';

export { mayBeReal, STRATEGY_KIND_LABEL, STRATEGY_KINDS, type StrategyKind };

interface StrategyParams {
  hedge: HedgeSettings;
  fundingRate: FundingParams;
  spread: SpreadParams;
  cexRate: CexRateParams;
  okx: OkxParams;
  grid: GridParams;
}

/** How a strategy of a kind is set up. */
export type ParamsOf<K extends StrategyKind> = StrategyParams[K];

/** What is checked of a kind's params: their schema, and rules across fields. */
export const PARAMS = {
  hedge: { schema: HedgeSettings, errors: settingsErrors },
  fundingRate: { schema: FundingParams, errors: fundingErrors },
  spread: { schema: SpreadParams, errors: spreadErrors },
  cexRate: { schema: CexRateParams, errors: cexRateErrors },
  okx: { schema: OkxParams, errors: okxErrors },
  grid: { schema: GridParams, errors: gridErrors },
} as const satisfies {
  [K in StrategyKind]: { schema: unknown; errors: (params: ParamsOf<K>) => FieldErrors['fields'] };
};

/** What kinds have of their own in the API: a scanner of the market, and a desk. */
export const KIND_RESOURCES = {
  fundingScan,
  fundingRateDesk,
  cexRateScan,
  cexRateDesk,
  spreadScan,
  spreadDesk,
  arbitrageScan,
  okxDesk,
  gridScan,
  gridDeal,
} as const;

/** What a kind trades, as the rights of a key call it. */
export const TRADED = {
  hedge: ['derivative'],
  fundingRate: ['spot', 'derivative'],
  spread: ['spot', 'derivative'],
  cexRate: ['derivative'],
  okx: ['spot', 'derivative'],
  grid: ['derivative'],
} as const satisfies { [K in StrategyKind]: readonly ('spot' | 'derivative')[] };

/** Kinds whose deals stand on levels, each a slot with what it holds: legs of different sizes are no imbalance there. */
export const LADDERED: readonly StrategyKind[] = ['grid'];
export const isLaddered = (kind: StrategyKind): boolean => LADDERED.includes(kind);

/** Kinds whose legs hold as much of one coin as each other while a deal is open: there a person may bring them together. */
const EVEN: readonly StrategyKind[] = ['fundingRate', 'spread', 'cexRate'];
export const holdsEven = (kind: StrategyKind): boolean => EVEN.includes(kind);

/** Kinds whose strategy owns coin between its deals: what their deals hand over is still theirs. */
export const STOCKED: readonly StrategyKind[] = ['okx'];
export const keepsStock = (kind: StrategyKind): boolean => STOCKED.includes(kind);

/** Whether params keep their stock without a hedge of it. */
export const holdsBareStock = (kind: StrategyKind, params: unknown): boolean =>
  keepsStock(kind) && (params as OkxParams).hedge !== true;

/** Whether a deal holds two legs against each other until it is closed, so that a part of both may be closed, or both may rest on their way out. */
export const holdsPair = (kind: StrategyKind): boolean => kind === 'hedge' || holdsEven(kind);

/** Whether coin that a deal of these params holds stays with its account when its strategy is stopped without selling: the deal ends then. */
export const leavesCoin = (kind: StrategyKind, params: unknown): boolean =>
  kind === 'grid' && isSpotGrid(params as GridParams);

/**
 * `running` opens and closes; `paused` opens nothing and guards what it holds; `closing` takes down what it holds;
 * `stopped` does nothing; `tripped` was ended by its breaker, `error` by what it cannot go on from.
 */
export const STRATEGY_STATES = ['running', 'paused', 'closing', 'stopped', 'tripped', 'error'] as const;
export type StrategyState = (typeof STRATEGY_STATES)[number];

/** `live`: real orders and real money, where the server and the owner allow it; else `paper`. */
export const STRATEGY_MODE_LABEL = { paper: '模拟', live: '实盘' } as const;
export const STRATEGY_MODES = wordsOf(STRATEGY_MODE_LABEL);

export type StrategyMode = (typeof STRATEGY_MODES)[number];

export const ModeField = Labelled(STRATEGY_MODE_LABEL, { title: '模式' });
export const KindField = Labelled(STRATEGY_KIND_LABEL, { title: '类型' });
/** What its kind asks for. */
export const ParamsField = Unknown({ title: '参数', description: '按类型的参数表；错误指明 params 下的字段' });
