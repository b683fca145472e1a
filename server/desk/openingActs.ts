import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { accessOf } from '#contract/access';
import type { Endpoint } from '#contract/endpoint';
import { opening as api, type OpeningAct } from '#contract/opening';
import type { Queries } from '../base/db/client';
import { type NamedCall, once, type Work } from '../base/http/idempotency';
import { forbidden, Refusal } from '../base/http/refusal';
import { route, type SignedInCall } from '../base/http/route';
import { errorsOf } from '../base/http/validation';
import type { DeskDeps } from './deps';
import { proveForReal } from './strategy/real';
import { type Act, actAsChosen, type Choice, choiceOf, ending, freedBy, openingsAfter } from './strategy/wouldOpen';

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
  /** Before the key is looked at: what is refused here is no answer that is kept. */
  allows?: ((call: C) => Promise<void>) | undefined;
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
    await work.allows?.(call);
    const data = await once(deps, endpoint as never, call, work);
    const owners = work.wakes === undefined ? [call.user.id] : await work.wakes(call);
    const woken = Promise.all(owners.map((userId) => wake(deps, userId, call.request.log)));
    if (work.waits === true) await woken;
    return data;
  });
}

/** A write after which the engine may open something. */
interface Opens<C extends NamedCall, Prepared, Data> extends Work<C, Prepared, Data> {
  /** Of which targets it is chosen whether they open. */
  about: (call: C) => Act['about'];
  /** The targets that the call itself names. */
  names?: (call: C) => string[];
  /** Whether something may open after this call at all; every one unless told. */
  opens?: (call: C) => boolean;
  wakes?: (call: C) => Promise<string[]>;
  /** What real trading asks for beside a proof of who it is. */
  allows?: ((call: C) => Promise<void>) | undefined;
}

/** A write that ends something or brings money, so that there is room for something else. */
interface Ends<C extends NamedCall, Prepared, Data> extends Work<C, Prepared, Data> {
  /** What of it is no end is asked for: see `Wakes`. */
  allows?: ((call: C) => Promise<void>) | undefined;
  /** Whether all goes on as it does otherwise; nothing does unless told. */
  keeps?: (call: C) => boolean;
  /** What comes to an account by it. */
  brings?: (call: C, prepared: Prepared) => Act['brings'];
  /** Whose it is; nobody's where there is nothing that could open after it. The caller's unless told. */
  owners?: (call: C, prepared: Prepared) => readonly string[];
  waits?: boolean;
  wakes?: (call: C) => Promise<string[]>;
}

/** What a call prepared, and what of its openings was chosen; null where there is nothing to choose. */
interface Chosen<P> {
  prepared: P;
  choice: Choice | null;
}

interface Registered {
  endpoint: Pick<Endpoint, 'query' | 'body' | 'right'>;
  actOf: (call: NamedCall) => Promise<Act>;
}

/** Calls after which something may open: what they would open is told before, and what was not named waits. */
export class OpeningActs {
  readonly #deps: DeskDeps;
  readonly #acts = new Map<OpeningAct, Registered>();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
  }

  /**
   * Serves the end of something, or what brings money, as `intentRoute` does: what only opens because there is room now waits to be confirmed,
   * all of it or, where the rest is to go on, what is flagged.
   * Nobody is kept from ending it by what cannot be foretold.
   * @param act what it is asked about by beforehand; null where it is not
   */
  serveEnd<Q extends TObject, B extends TObject, D extends TSchema, P = void>(
    app: FastifyInstance,
    act: OpeningAct | null,
    endpoint: Endpoint<Q, B, D>,
    work: Ends<SignedInCall<Endpoint<Q, B, D>>, P, Static<D>>,
  ): void {
    type Call = SignedInCall<Endpoint<Q, B, D>>;
    const preparedOf = async (call: Call) => (await work.prepare?.(call)) as P;
    const actOf = (call: Call, prepared: P, users: readonly string[]): Act =>
      ending(users, (tx) => work.write(tx, call, prepared), {
        keeps: work.keeps?.(call) ?? false,
        brings: work.brings?.(call, prepared),
      });
    const ownersOf = work.owners ?? (({ user }) => [user.id]);
    if (act !== null) {
      this.#acts.set(act, {
        endpoint: endpoint as never,
        // Only ever called with what the endpoint's own schemas let through.
        actOf: async (call) => actOf(call as Call, await preparedOf(call as Call), [call.user.id]),
      });
    }
    intentRoute(app, this.#deps, endpoint, {
      ...work,
      prepare: async (call) => {
        const prepared = await preparedOf(call);
        const users = ownersOf(call, prepared);
        const choice =
          users.length === 0 ? null : await freedBy(this.#deps, actOf(call, prepared, users)).catch(() => null);
        return { prepared, choice };
      },
      write: (tx, call, chosen: Chosen<P>) => this.#asChosen(tx, call, chosen, work),
    });
  }

  /** Lets a user's engine open again, in the name of somebody else: what it would open by that waits for its owner. */
  async letIn<T>(by: { name: string }, userId: string, write: (tx: Queries) => Promise<T>): Promise<T> {
    const choice = await freedBy(this.#deps, ending([userId], write));
    const who = { name: by.name, now: this.#deps.clock() };
    return this.#deps.db.transaction((tx) => actAsChosen(tx, who, choice, () => write(tx)));
  }

  /** Serves such a call, as `intentRoute` does. */
  serve<Q extends TObject, B extends TObject, D extends TSchema, P = void>(
    app: FastifyInstance,
    act: OpeningAct,
    endpoint: Endpoint<Q, B, D>,
    work: Opens<SignedInCall<Endpoint<Q, B, D>>, P, Static<D>>,
  ): void {
    const {
      about,
      prepare,
      write,
      wakes = async ({ user }) => [user.id],
    } = work as unknown as Opens<NamedCall, P, Static<D>>;
    const actOf = async (call: NamedCall, prepared: P): Promise<Act> => ({
      users: await wakes(call),
      about: about(call),
      names: work.names?.(call as never),
      write: (tx) => write(tx, call, prepared),
    });
    const preparedOf = async (call: NamedCall) => (await prepare?.(call)) as P;
    this.#acts.set(act, {
      endpoint: endpoint as never,
      actOf: async (call) => actOf(call, await preparedOf(call)),
    });
    intentRoute(app, this.#deps, endpoint, {
      ...work,
      allows: async (call) => {
        await work.allows?.(call);
        if (work.opens?.(call) ?? true) await proveForReal(this.#deps, call, await wakes(call), about(call));
      },
      prepare: async (call) => {
        const prepared = await preparedOf(call);
        const isOpening = work.opens?.(call) ?? true;
        const named = namedBy(call, work.names?.(call));
        return { prepared, choice: isOpening ? await choiceOf(this.#deps, await actOf(call, prepared), named) : null };
      },
      write: (tx: Queries, call, chosen: Chosen<P>) => this.#asChosen(tx, call, chosen, work),
    });
  }

  /** /api/opening: what a call would open, and what waits. */
  routes(app: FastifyInstance): void {
    const deps = this.#deps;
    route(app, api.preview, async ({ user, body, request }) => {
      const { endpoint, actOf } = this.#found(body.act);
      if (!accessOf(user.role)[endpoint.right]) throw forbidden();
      const input = body.input ?? {};
      const schema = endpoint.body ?? endpoint.query;
      const fields = schema === undefined ? [] : errorsOf(schema, input, 'input');
      if (fields.length > 0) throw new Refusal(400, 400, fields.map(({ message }) => message).join('；'), { fields });
      return openingsAfter(deps, user, await actOf({ user, request, query: input, body: input }));
    });

    route(app, api.queue, ({ user, query }) =>
      openingsAfter(deps, user, {
        users: [user.id],
        about: ({ kind }) => query.kind === undefined || kind === query.kind,
        write: async () => {},
        isAsItIs: true,
      }),
    );
  }

  #asChosen<C extends NamedCall, P, Data>(
    tx: Queries,
    call: C,
    { prepared, choice }: Chosen<P>,
    { write }: Pick<Work<C, P, Data>, 'write'>,
  ): Promise<Data | undefined> {
    const act = () => write(tx, call, prepared);
    return choice ? actAsChosen(tx, { name: call.user.name, now: this.#deps.clock() }, choice, act) : act();
  }

  #found(act: OpeningAct): Registered {
    const found = this.#acts.get(act);
    if (found === undefined) throw new Error(`nobody serves ${act}`);
    return found;
  }
}

function namedBy({ body }: { body: unknown }, own: string[] | undefined) {
  const given = (body ?? {}) as { open?: string[]; openSeen?: number };
  const open = given.open ?? own;
  return open && { open, isChosen: given.open !== undefined, seen: given.openSeen };
}
