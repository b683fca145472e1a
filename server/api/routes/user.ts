import type { FastifyInstance } from 'fastify';
import { password } from '#contract/password';
import { savedView as api, MOST_VIEWS, type SavedView } from '#contract/savedView';
import { MOST_STARS, star } from '#contract/star';
import { user as endpoints } from '#contract/user';
import { addStars, removeStar, starsOf } from '../../base/db/users/star';
import {
  changePreference,
  countOtherViews,
  preferenceOf,
  removeView,
  saveView,
  setBinanceId,
  viewsOf,
} from '../../base/db/users/user';
import { noteActor, noteChange } from '../../base/http/auditTrail';
import { invalid, notFound, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { visitOf } from '../../people/auth/loginRecord';
import { changeOwnPassword, redeemCode } from '../../people/auth/ownPassword';
import type { Deps } from '../deps';

const presentView = ({ id, name, query, createdAt }: SavedView): SavedView => ({ id, name, query, createdAt });

/** Filters and order of a screen that a user keeps under a name. */
export function savedViewRoutes(app: FastifyInstance, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  route(app, api.list, async ({ query, user }) => {
    const list = (await viewsOf(db, user.id, query.screen)).map(presentView);
    return { list, total: list.length };
  });

  route(app, api.save, async ({ body: { screen, query, name: typed }, user }) => {
    const name = typed.trim();
    if (name === '') throw invalid('name', '请输入名称');
    if ((await countOtherViews(db, user.id, screen, name)) >= MOST_VIEWS) throw refused('tooManyViews');
    return presentView(await saveView(db, { userId: user.id, screen, name, query, createdAt: clock() }));
  });

  route(app, api.remove, async ({ body, user }) => {
    if (!(await removeView(db, user.id, body.id))) throw notFound('没有找到该视图');
    return null;
  });
}

/** The coins that a user watches. */
export function starRoutes(app: FastifyInstance, { db }: Pick<Deps, 'db'>): void {
  route(app, star.list, async ({ user }) => ({ coins: await starsOf(db, user.id) }));
  route(app, star.add, async ({ user, body }) => {
    const coins = await addStars(db, user.id, body.coins, MOST_STARS);
    if (coins === null) throw refused('tooManyStars');
    return { coins };
  });
  route(app, star.remove, async ({ user, body }) => {
    await removeStar(db, user.id, body.coin);
    return { coins: await starsOf(db, user.id) };
  });
}

/** Who is signed in, and the profile that user keeps. */
export function userRoutes(app: FastifyInstance, deps: Pick<Deps, 'db' | 'clock' | 'config'>): void {
  const { db, config } = deps;
  route(app, endpoints.current, async ({ user, request }) => ({
    ...user,
    preference: await preferenceOf(db, user.id),
    viewer: request.viewer?.name ?? null,
    factorNeeded: request.factorNeeded,
    testnet: config.environment.trading === 'testnet',
  }));
  route(app, endpoints.preference, ({ user }) => preferenceOf(db, user.id));
  route(app, endpoints.setPreference, async ({ user, body, request }) => {
    const before = await preferenceOf(db, user.id);
    const after = await changePreference(db, user.id, body);
    noteChange(request, before, after);
    return after;
  });

  route(app, endpoints.binanceId, async ({ user, body: { binanceId }, request }) => {
    await setBinanceId(db, user.id, binanceId);
    noteChange(request, { binanceId: user.binanceId }, { binanceId });
    return { binanceId };
  });

  route(app, password.change, async ({ user, body, request }) => ({
    revoked: await changeOwnPassword(deps, user, body, request.session?.tokenHash ?? ''),
  }));

  route(app, password.redeem, async ({ body, request }) => {
    noteActor(request, await redeemCode(deps, body, visitOf(request)));
    return null;
  });
}
