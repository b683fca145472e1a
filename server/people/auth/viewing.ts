import type { FastifyInstance } from 'fastify';
import { userAdmin } from '#contract/userAdmin';
import { forbidden } from '../../base/http/refusal';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses every write of a master who looks on as somebody else: what is seen is another's, and nothing may be done in
 * that user's name. What asks for no account (signing in and out) acts for nobody and stays possible.
 */
export function refuseWhileViewing(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ viewer, user, routeOptions }) => {
    const { endpoint } = routeOptions.config;
    if (viewer === null || endpoint === undefined || READING.has(endpoint.method)) return;
    if (endpoint.right === 'open' || endpoint === userAdmin.leaveView) return;
    throw forbidden(`正在以 ${user?.name} 的身份只读查看，不能操作；请先退出查看`);
  });
}
