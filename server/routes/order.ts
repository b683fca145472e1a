import type { FastifyInstance } from 'fastify';
import { order as api } from '#contract/order';
import { ownersOfAskedCancels } from '../db/order';
import { bookAccounts } from '../db/reconcile';
import type { Deps } from '../deps';
import { intentRoute } from '../http/intentRoute';
import { route } from '../http/route';
import { cancelOrders } from '../order/cancelOrders';
import { fillListing, orderListing } from '../order/orderListing';
import { reconcile } from '../order/reconcile';

/** Orders and fills of all users, for a master. */
export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  route(app, api.list, ({ query }) => orderListing(db, query, clock()));
  route(app, api.fills, ({ query }) => fillListing(db, query, clock()));
  route(app, api.accounts, async () => ({ list: await bookAccounts(db) }));
  route(app, api.reconcile, ({ query }) => reconcile(deps, query.userId));

  intentRoute(app, deps, api.cancel, {
    keyRequired: true,
    write: (tx, { body }) => cancelOrders(tx, body, clock()),
    wakes: () => ownersOfAskedCancels(db),
  });
}
