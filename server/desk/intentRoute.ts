import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint';
import { once, type Work } from '../base/http/idempotency';
import { route, type SignedInCall } from '../base/http/route';
import type { DeskDeps } from './deps';

type Needs = Pick<DeskDeps, 'db' | 'clock' | 'desk'>;

/** Wakes the engine; that it could not be woken is no failure of the call, for it sees the intent at its next tick. */
export async function wake({ desk }: Pick<DeskDeps, 'desk'>, userId: string, log: FastifyBaseLogger): Promise<void> {
  try {
    await desk.wake(userId);
  } catch (error) {
    log.error({ name: (error as Error).name, userId }, 'the engine could not be woken');
  }
}

interface Wakes<C> {
  /** Whom to wake when the work is committed; the caller alone unless told. */
  wakes?: (call: C) => Promise<string[]>;
  /** The answer waits until the engine has taken the intent up. */
  waits?: boolean;
}

/** Serves a write that the engine is to take up: done once for each key, then the engine is woken. */
export function intentRoute<Q extends TObject, B extends TObject, D extends TSchema, Prepared = void>(
  app: FastifyInstance,
  deps: Needs,
  endpoint: Endpoint<Q, B, D>,
  work: Work<SignedInCall<Endpoint<Q, B, D>>, Prepared, Static<D>> & Wakes<SignedInCall<Endpoint<Q, B, D>>>,
): void {
  route(app, endpoint, async (call) => {
    const data = await once(deps, endpoint as never, call, work);
    const owners = work.wakes === undefined ? [call.user.id] : await work.wakes(call);
    const woken = Promise.all(owners.map((userId) => wake(deps, userId, call.request.log)));
    if (work.waits === true) await woken;
    return data;
  });
}
