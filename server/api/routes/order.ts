import type { FastifyInstance } from 'fastify';
import { order as api, type OrderRow } from '#contract/order';
import type { StrategyKind } from '#contract/strategy';
import { ownersOfAskedCancels } from '../../base/db/orders/order';
import { bookAccounts, placesOfUsers } from '../../base/db/orders/orderProgress';
import { route } from '../../base/http/route';
import type { OpeningActs } from '../../desk/openingActs';
import { cancelOrders, ownersOfCancel } from '../../desk/order/cancelOrders';
import { fillListing, orderListing } from '../../desk/order/orderListing';
import { withSteps } from '../../desk/order/orderRow';
import { reconcile } from '../../desk/order/reconcile';
import type { Deps } from '../deps';

/** Orders and fills of all users, for a master; to whoever owns accounts, whether their exchange agrees. */
export function orderRoutes(app: FastifyInstance, deps: Deps, opens: OpeningActs): void {
  const { db, clock, markets } = deps;
  route(app, api.list, async ({ query }) => {
    const listed = await orderListing(db, query, clock());
    return { ...listed, list: await withSteps(markets, listed.list) };
  });
  route(app, api.fills, async ({ query }) => {
    const listed = await fillListing(db, query, clock());
    return { ...listed, list: await withSteps(markets, listed.list) };
  });
  route(app, api.accounts, async () => {
    const [users, { accounts, strategies }] = await Promise.all([bookAccounts(db), placesOfUsers(db)]);
    const of = <R extends { userId: string }>(rows: readonly R[], userId: string) =>
      rows.filter((row) => row.userId === userId);
    const list = users.map(({ userId, user }) => ({
      userId,
      user,
      accounts: of(accounts, userId).map(({ id, name, venue, mode }) => ({
        id,
        name,
        venue,
        mode: mode as OrderRow['mode'],
      })),
      // Calls write the kind, in words of the contract.
      strategies: of(strategies, userId).map(({ id, name, kind }) => ({ id, name, kind: kind as StrategyKind })),
    }));
    return { list };
  });
  route(app, api.reconcile, ({ query }) => reconcile(deps, query.userId));
  route(app, api.reconcileOwn, ({ user }) => reconcile(deps, user.id));

  opens.serveEnd(app, null, api.cancel, {
    keyRequired: true,
    prepare: ({ body }) => ownersOfCancel(db, body),
    owners: (_call, owners) => owners,
    write: (tx, { body }) => cancelOrders(tx, body, clock()),
    wakes: () => ownersOfAskedCancels(db),
  });
}
