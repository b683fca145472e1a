import { connect } from 'node:net';
import { fileApp } from '../../support/app';

const server = await fileApp({ config: { requestMs: 300 } });
await server.app.listen({ port: 0, host: '127.0.0.1' });
const port = (server.app.server.address() as { port: number }).port;

/** Sends the start of a request, and a bit more of it every now and then, until the server ends it. */
function drip(start: string, more: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    let dripping: NodeJS.Timeout | undefined;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(start);
      dripping = setInterval(() => socket.write(more), 50);
    });
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(received);
    });
  });
}

test.each([
  ['headers that never end', 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n', 'X: x\r\n'],
  [
    'a body that never ends',
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"username":"',
    'x',
  ],
])('%s are dropped when their time is over', async (_what, start, more) => {
  expect(await drip(start, more)).toMatch(/^HTTP\/1\.1 408 .*"code":408/s);
});

test('a stream that was asked for in time goes on', async () => {
  const cookie = await server.signIn('trader', 'demo-trader');
  const answer = await fetch(`http://127.0.0.1:${port}/api/stream?topics=notice`, { headers: { cookie } });
  let isOver = false;
  const reading = answer.text().finally(() => {
    isOver = true;
  });
  await drip('GET / HTTP/1.1\r\nHost: localhost\r\n', 'X: x\r\n');
  expect(isOver).toBe(false);
  await server.app.close();
  await reading;
});
