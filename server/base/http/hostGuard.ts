import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal';
import { requestTarget } from './requestTarget';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Name or bracketed address, and a port; nothing that a URL parser could read in two ways. */
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@?#\\[\]]+)(?::\d{1,5})?$/i;

/**
 * Answers only under names that are ours: a page of another site that points its own name at this
 * machine (DNS rebinding) gets nothing.
 */
export function guardHost(app: FastifyInstance, allowedHosts: string[]): void {
  const allowed = new Set([...LOOPBACK, ...allowedHosts.map((name) => name.toLowerCase())]);
  const isOurs = (host = '') => {
    const name = HOST.exec(host)?.[1];
    return name !== undefined && allowed.has(name.toLowerCase());
  };
  app.addHook('onRequest', async (request) => {
    // A target may name a host itself, as a proxy's does.
    const { host: named = request.host } = requestTarget(request);
    if (!isOurs(request.host) || !isOurs(named)) {
      throw new Refusal(421, 421, '本服务不以这个主机名提供，请检查地址或 ALLOWED_HOSTS 设置');
    }
  });
}
