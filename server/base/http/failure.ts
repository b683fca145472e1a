import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '#contract/envelope';
import type { Database } from '../db/client';
import { DiskWatch, isLostConnection } from '../db/connection/databaseFailure';
import { notFound, Refusal } from './refusal';
import { fieldErrorsOf } from './validation';

declare module 'fastify' {
  interface FastifyInstance {
    disk: DiskWatch;
  }
  interface FastifyRequest {
    /** Refused because the disk has no room. */
    isUnstored: boolean;
  }
}

const NO_ROOM = '磁盘已满，现在不能保存，请联系管理员';

const MESSAGE_OF_STATUS: Record<number, string> = {
  400: '请求格式不正确',
  408: '请求超时，请重试',
  413: '提交的内容过大',
  414: '地址过长',
  415: '只接受 JSON 请求体',
  429: '请求过于频繁，请稍后再试',
  431: '请求头过大',
  503: '服务暂不可用，请稍后再试',
};

function refusalOf(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error.validation) {
    const data = fieldErrorsOf(error.validation);
    return new Refusal(400, 400, data.fields.map(({ message }) => message).join('；'), data);
  }
  if (request.server.disk.note(error)) {
    request.isUnstored = true;
    return new Refusal(503, 503, NO_ROOM);
  }
  const status = error.statusCode ?? (isLostConnection(error) ? 503 : 500);
  if (status >= 400 && status < 500) return new Refusal(status, status, MESSAGE_OF_STATUS[status] ?? '请求无法处理');
  // What went wrong belongs in the log; the caller gets a number to quote.
  request.log.error({ err: error, requestId: request.id }, 'request failed');
  const known = status === 503 ? 503 : 500;
  const message = MESSAGE_OF_STATUS[known] ?? '服务器内部错误，请稍后再试';
  return new Refusal(known, known, `${message}（请求编号 ${request.id}）`);
}

const envelopeOf = (refusal: Refusal): Envelope => ({
  code: refusal.code,
  message: refusal.message,
  data: refusal.data,
});

function send(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(envelopeOf(refusal));
}

/** An address that nobody serves. */
export async function answerNotFound(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return send(reply, notFound('没有这个地址'));
}

/** The one place that turns what handlers throw, and what nobody serves, into envelopes. */
export function answerErrors(app: FastifyInstance, db: Database): void {
  const { place } = db;
  // One line for all that is refused meanwhile.
  const disk = new DiskWatch(db, {
    onFull: () =>
      app.log.error({ disk: place }, 'the disk of the database is full: nothing is stored until there is room'),
    onRoom: () => app.log.warn({ disk: place }, 'the disk of the database has room again'),
  });
  app.decorate('disk', disk);
  app.decorateRequest('isUnstored', false);
  app.addHook('onClose', async () => disk.close());
  app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => send(reply, refusalOf(error, request)));
}

/** No hook runs for what is no proper request; its answer is data and nothing else. */
const BARE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** A request that reached no route, a broken URL for one. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(BARE_HEADERS);
  send(reply, refusalOf(error, request));
}

const STATUS_OF_CLIENT_ERROR: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** What is not HTTP at all still gets the envelope, while the caller listens. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const line = STATUS_OF_CLIENT_ERROR[error.code ?? ''] ?? '400 Bad Request';
  const code = Number(line.slice(0, 3));
  const body = JSON.stringify({ code, message: MESSAGE_OF_STATUS[code] ?? '', data: null } satisfies Envelope);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...BARE_HEADERS,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${line}\r\n${lines.join('')}\r\n${body}`);
}
