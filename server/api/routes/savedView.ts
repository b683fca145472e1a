import type { FastifyInstance } from 'fastify';
import { savedView as api, MOST_VIEWS, type SavedView } from '#contract/savedView';
import { countOtherViews, removeView, saveView, viewsOf } from '../../base/db/users/savedView';
import { invalid, notFound, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
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
