import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isScreen } from '#contract/screen';
import { isApiCall, requestTarget } from './apiCall';
import { answerNotFound } from './failure';

const SHELL = 'index.html';
/** Files whose name changes with their content. */
const HASHED = /\.[0-9a-f]{8,}\./;
/** Source maps are for developers; the compressed twins go out under their plain names; folders and the shell as pages. */
const WITHHELD = /\.(map|br|gz)$|^\/index\.html$|\/$/i;
const EXTENSION = /\.[a-z0-9]{1,8}$/i;
const YEAR_SECONDS = 365 * 24 * 3600;

/** Whether somebody opens a page, rather than a page asking for a file of its own. */
function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

/**
 * Serves the built console: files with their compressed twins, and the page shell where a screen is.
 * Any other address of a page gets the shell with 404, so that the console can say so; a missing
 * file never gets it.
 * @param venues of this server, which the shell names: its screens open on the first
 */
export async function serveConsole(app: FastifyInstance, folder: string, venues: readonly string[]): Promise<void> {
  await app.register(fastifyStatic, {
    root: path.resolve(folder),
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    allowedPath: (file) => !WITHHELD.test(file),
    setHeaders: (response, file) => {
      const lasting = HASHED.test(path.basename(file));
      response.setHeader('Cache-Control', lasting ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      response.setHeader('Vary', 'Accept-Encoding');
    },
  });
  const shell = async (reply: FastifyReply, status: number) => {
    const page = await readFile(path.join(folder, SHELL), 'utf8');
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(venues.length === 0 ? page : page.replace('<html', `<html data-venues="${venues.join(' ')}"`));
  };
  app.setNotFoundHandler(async (request, reply) => {
    const { path: address } = requestTarget(request);
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (reading && isScreen(address)) return shell(reply, 200);
    if (wantsPage(request) && !isApiCall(request) && !EXTENSION.test(address)) return shell(reply, 404);
    return answerNotFound(request, reply);
  });
}
