import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal';

/**
 * Bodies are JSON and nothing else. An empty one is no body, also when a client names a type for it;
 * where the contract wants a body it then reads as `{}`, so that the answer names the missing fields.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    parse(request, String(text), (error, body) =>
      error ? done(new Refusal(400, 400, '请求体不是正确的 JSON')) : done(null, body),
    );
  });
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.endpoint?.body !== undefined) request.body ??= {};
  });
}
