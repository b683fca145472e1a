import type { FastifyInstance } from 'fastify';
import { user as endpoints } from '#contract/user';
import { changePreference, preferenceOf } from '../db/preference';
import { setBinanceId } from '../db/user';
import type { Deps } from '../deps';
import { route } from '../http/route';

/** Who is signed in, and the profile that user keeps. */
export function userRoutes(app: FastifyInstance, { db }: Pick<Deps, 'db'>): void {
  route(app, endpoints.current, async ({ user }) => ({ ...user, preference: await preferenceOf(db, user.id) }));
  route(app, endpoints.preference, ({ user }) => preferenceOf(db, user.id));
  route(app, endpoints.setPreference, ({ user, body }) => changePreference(db, user.id, body));

  route(app, endpoints.binanceId, async ({ user, body: { binanceId } }) => {
    await setBinanceId(db, user.id, binanceId);
    return { binanceId };
  });
}
