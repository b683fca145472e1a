import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { placeOf } from '#server/market/live/bybitNames';
import { pairOf } from '#server/market/live/gateNames';
import { isSpot } from '#server/market/live/listing';
import { idOf } from '#server/market/live/okxNames';

/** One question to the exchange, as it was asked. */
interface Asked {
  path: string;
  query: URLSearchParams;
}

/** A line to an exchange that can be bad: what passes is counted, kept back or cut. */
export interface BadLine {
  /** Where to call instead of the exchange. */
  url: string;
  asked: Asked[];
  /** Status with which a path is refused; null lets it pass. */
  refuses: (path: string) => number | null;
  /** For how long it then says to wait, s. */
  waits: number;
  /** Whether a message of a stream is lost. @param path of the connection */
  loses: (message: { e?: string; s?: string } & Record<string, unknown>, path: string) => boolean;
  /** Cuts all streams. */
  cut(): void;
  /** Streams that are open. */
  streams(): number;
  close(): Promise<void>;
}

/** What says who asks, until when, and how. */
const PASSED =
  /^(x-mbx-apikey|ok-access-.*|x-simulated-trading|x-bapi-.*|key|timestamp|sign|x-gate-.*|exptime|content-type)$/;

/** @param thin what is let through of an answer: fewer symbols cost less. */
export async function badLineTo(target: string, thin: (path: string, body: object) => object): Promise<BadLine> {
  const server = createServer((request, response) => {
    // Whoever asks may be gone by then, or the exchange.
    pass(request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server });
  const line: BadLine = {
    url: '',
    asked: [],
    refuses: () => null,
    waits: 1,
    loses: () => false,
    cut: () => {
      for (const client of sockets.clients) client.terminate();
    },
    streams: () => sockets.clients.size,
    close: async () => {
      line.cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://line');
    line.asked.push({ path, query });
    const refused = line.refuses(path);
    if (refused !== null) {
      response.writeHead(refused, { 'content-type': 'application/json', 'retry-after': String(line.waits) });
      return void response.end('{"code":-1,"msg":"refused on the line"}');
    }
    const passed = Object.entries(request.headers).filter(([name]) => PASSED.test(name));
    const sent = await text(request);
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(passed) as Record<string, string>,
      body: sent || null,
    });
    const body = thin(path, (await answer.json()) as object);
    const weight = answer.headers.get('x-mbx-used-weight-1m');
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(weight === null ? {} : { 'x-mbx-used-weight-1m': weight }),
    });
    response.end(JSON.stringify(body));
  }

  sockets.on('connection', (client, request) => {
    const far = new WebSocket(`${target.replace('http', 'ws')}${request.url}`);
    const waiting: string[] = [];
    client.on('message', (message) => {
      if (far.readyState === WebSocket.OPEN) far.send(String(message));
      else waiting.push(String(message));
    });
    far.on('open', () => {
      for (const message of waiting) far.send(message);
    });
    far.on('message', (message) => {
      const told = String(message);
      const kept = /^[[{]/.test(told) ? keptOf(JSON.parse(told), (one) => line.loses(one, request.url!)) : told;
      if (kept !== null) client.send(typeof kept === 'string' ? kept : JSON.stringify(kept));
    });
    client.on('close', () => far.terminate());
    far.on('close', () => client.terminate());
    far.on('error', () => client.terminate());
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}

/** Of what binance lists, those symbols; spot is called apart from the perpetual here. */
export const onlyBinance =
  (...only: string[]) =>
  (path: string, body: object): object => {
    const { symbols } = body as { symbols: { symbol: string }[] };
    return path.endsWith('/exchangeInfo')
      ? {
          ...body,
          symbols: symbols.filter(({ symbol }) => only.includes(path.startsWith('/api/') ? `${symbol}_SPOT` : symbol)),
        }
      : body;
  };

/** The same of OKX. */
const onlyOkx = (...only: string[]) => {
  const ids = only.map(idOf);
  return (path: string, body: object): object => {
    if (!path.endsWith('/public/instruments')) return body;
    const { data } = body as { data: { instId: string }[] };
    return { ...body, data: data.filter(({ instId }) => ids.includes(instId)) };
  };
};

/** The same of Bybit. */
const onlyBybit = (...only: string[]) => {
  const places = only.map(placeOf);
  return (path: string, body: object): object => {
    if (!path.endsWith('/market/instruments-info')) return body;
    const { result } = body as { result: { category: string; list: { symbol: string }[] } };
    const isMeant = (id: string) =>
      places.some(({ category, symbol }) => category === result.category && symbol === id);
    return { ...body, result: { ...result, list: result.list.filter(({ symbol }) => isMeant(symbol)) } };
  };
};

/** The same of Gate, whose spot and perpetuals are called alike. */
const onlyGate =
  (...only: string[]) =>
  (path: string, body: object): object => {
    const house = /(?:(spot)\/currency_pairs|(futures|delivery)\/usdt\/contracts)$/.exec(path);
    if (house === null) return body;
    const pairs = only.filter((symbol) => isSpot(symbol) === (house[1] === 'spot')).map(pairOf);
    return (body as { id?: string; name?: string }[]).filter(({ id, name }) => pairs.includes((id ?? name)!));
  };

/** Of what an exchange lists, those symbols. */
export const onlyAt = { binance: onlyBinance, okx: onlyOkx, bybit: onlyBybit, gate: onlyGate } as const;

/** A message of many symbols without those that are lost; null where nothing is left. */
function keptOf(message: object, loses: (message: Parameters<BadLine['loses']>[0]) => boolean): object | null {
  if (!Array.isArray(message)) return loses(message as never) ? null : message;
  const kept = message.filter((one) => !loses(one));
  return kept.length === 0 ? null : kept;
}
