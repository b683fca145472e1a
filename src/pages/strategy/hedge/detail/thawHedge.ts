import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { call } from '@/services/call';
import { confirmThaw } from '@/strategy/confirmThaw';
import { sidesOf } from '../hedgeActions';

/** Lets a frozen hedge go on. */
export const thawHedge = (row: HedgeRow, done: () => void): void =>
  confirmThaw(
    {
      ...{ subject: sidesOf(row), frozen: row.frozen },
      thaw: (reason, idempotencyKey) => call(hedge.thaw, { body: { id: row.id, reason } }, { idempotencyKey }),
    },
    done,
  );
