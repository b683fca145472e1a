import type { FastifyInstance } from 'fastify';
import { audit } from '#contract/audit';
import { route } from '../../base/http/route';
import { auditListing } from '../../people/user/auditListing';
import type { Deps } from '../deps';

/** The audit log, for masters. */
export function auditRoutes(app: FastifyInstance, deps: Pick<Deps, 'db'>): void {
  route(app, audit.list, ({ query }) => auditListing(deps, query));
}
