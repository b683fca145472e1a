import { REBALANCE_LABEL, REBALANCE_WAYS } from '#contract/lifecycle';
import type { DealRow } from '#contract/strategyRow';

/** Whether a leg holds less than the other asks for, by what can be traded. */
const lacksLeg = ({ mendable, oneLegSince }: DealRow): boolean => oneLegSince !== null || mendable === true;

/** Both ways to bring the legs of a deal together, where they are apart; what they do is loaded when somebody asks for it. */
export const rebalanceActions = (row: DealRow, done: () => void) =>
  lacksLeg(row)
    ? REBALANCE_WAYS.map((way) => ({
        key: way,
        label: REBALANCE_LABEL[way],
        run: () => void import('./dealActions').then(({ confirmRebalance }) => confirmRebalance(row, way, done)),
      }))
    : [];
