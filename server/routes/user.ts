import type { FastifyInstance } from 'fastify';
import { user as endpoints } from '#contract/user';
import { route } from '../route';

/** Who is signed in. */
export function userRoutes(app: FastifyInstance): void {
  route(app, endpoints.current, async ({ user }) => user);
}
