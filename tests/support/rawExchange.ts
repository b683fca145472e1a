import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface RawAnswer {
  status: number;
  headers: Headers;
  json(): unknown;
}

/**
 * Sends bytes as they are to an app, which listens from the first time on, and waits until it ends the
 * connection: `Connection: close` makes it, where the bytes are a request.
 */
export async function exchangeOver(app: FastifyInstance, sent: string): Promise<RawAnswer> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => {
      socket.end();
      resolve(received);
    });
    socket.on('error', reject);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => field.split(/: (.*)/, 2) as [string, string]);
  return { status: Number(line.split(' ')[1]), headers: new Headers(headers), json: () => JSON.parse(body) };
}
