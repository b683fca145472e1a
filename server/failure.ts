import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '#contract/envelope';
import { notFound, Refusal } from './refusal';
import { fieldErrorsOf } from './validation';

const MESSAGE_OF_STATUS: Record<number, string> = {
  400: '请求格式不正确',
  413: '提交的内容过大',
  415: '只接受 JSON 请求体',
  429: '请求过于频繁，请稍后再试',
  503: '服务暂不可用，请稍后再试',
};

function refusalOf(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error.validation) {
    const data = fieldErrorsOf(error.validation);
    return new Refusal(400, 400, data.fields.map(({ message }) => message).join('；'), data);
  }
  const status = error.statusCode ?? 500;
  if (status < 500) return new Refusal(status, status, MESSAGE_OF_STATUS[status] ?? '请求无法处理');
  // The stack belongs in the log; the caller gets a number to quote.
  request.log.error({ err: error, requestId: request.id }, 'request failed');
  const message = MESSAGE_OF_STATUS[status] ?? '服务器内部错误';
  return new Refusal(status, status, `${message}（请求编号 ${request.id}）`);
}

function send(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const body: Envelope = { code: refusal.code, message: refusal.message, data: refusal.data };
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}

/** The one place that turns what handlers throw, and what nobody serves, into envelopes. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => send(reply, refusalOf(error, request)));
  app.setNotFoundHandler((_request, reply) => send(reply, notFound('没有这个地址')));
}
