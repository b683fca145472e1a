import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { call } from '@/services/call';
import { confirmUnfreeze } from '@/strategy/confirmUnfreeze';
import { sidesOf } from '../hedgeActions';

/** Lets a frozen hedge go on. */
export const unfreezeHedge = (row: HedgeRow, done: () => void): void =>
  confirmUnfreeze(
    {
      ...{ subject: sidesOf(row), frozen: row.frozen },
      unfreeze: (reason, idempotencyKey) => call(hedge.unfreeze, { body: { id: row.id, reason } }, { idempotencyKey }),
    },
    done,
  );
