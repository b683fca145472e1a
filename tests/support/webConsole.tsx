import { TestBrowser } from '@@/testBrowser';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { history } from '@umijs/max';
import { Modal, message, notification } from 'antd';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import { account } from '#contract/account';
import type { Endpoint } from '#contract/endpoint';
import { flatten } from '#contract/flatten';
import { opening } from '#contract/opening';
import { pair } from '#contract/pair';
import type { Environment } from '#contract/service';
import { service } from '#contract/service';
import { star } from '#contract/star';
import { unread } from '#contract/unread';
import { type CurrentUser, user } from '#contract/user';
import { signalSession } from '@/services/sessionSignal';
import { NOTHING_OPENS } from './openingFixtures';

/** The network of a page test; what no handler answers is a 404 of the API. */
export const network = setupServer();

/** A call that reached the network. */
export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

/** Every call since the test began, in order. */
export const sent: Sent[] = [];

type AnyEndpoint = Pick<Endpoint, 'method' | 'path'>;

/** The calls of one endpoint since the test began, in order. */
export const sentTo = ({ method, path }: AnyEndpoint): Sent[] =>
  sent.filter((call) => call.method === method && call.path === path);

/** Who clicks and types. What CSS puts in the way of a pointer is for browsers to find. */
export const person = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });

const envelope = (code: number, message: string, data: unknown) => ({ code, message, data });

const VERBS = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete } as const;

async function note(request: Request): Promise<void> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.clone().text();
  sent.push({
    method: request.method,
    path: pathname,
    query: searchParams,
    body: text === '' ? undefined : JSON.parse(text),
    headers: request.headers,
  });
}

function handle({ method, path }: AnyEndpoint, answer: (request: Request) => Response | Promise<Response>): void {
  network.use(
    VERBS[method](`*${path}`, async ({ request }) => {
      await note(request);
      return answer(request);
    }),
  );
}

/** Answers an endpoint with data of its own type. */
export function answers<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  data: Static<D> | ((request: Request) => Static<D>),
): void {
  const dataFor = typeof data === 'function' ? (data as (request: Request) => Static<D>) : () => data;
  handle(endpoint, (request) => HttpResponse.json(envelope(endpoint.code, 'ok', dataFor(request))));
}

interface Refusal {
  code: number;
  message: string;
  data?: unknown;
  /** HTTP status; 200 for a refusal of the business. */
  status?: number;
  headers?: Record<string, string>;
}

/** Answers an endpoint with a refusal. */
export function refuses(endpoint: AnyEndpoint, { code, message, data = null, status = 200, headers }: Refusal): void {
  handle(endpoint, () => HttpResponse.json(envelope(code, message, data), { status, headers }));
}

/** Answers an endpoint with whatever a test makes up: no envelope, a broken network. */
export function responds(endpoint: AnyEndpoint, response: () => Response | Promise<Response>): void {
  handle(endpoint, response);
}

export type Who = 'master' | 'editor' | 'trader' | 'visitor' | (string & {});

const ROLES: Record<string, string> = { master: 'master', editor: 'editor', trader: 'user' };

/** An account as the server tells of it; a name that is no demo account is a role of its own. */
export const accountOf = (who: Who): CurrentUser => ({
  id: `id-${who}`,
  name: who,
  role: ROLES[who] ?? who,
  createdAt: Date.UTC(2026, 0, 1),
  demo: true,
  binanceId: null,
  preference: { rise: null, numbers: null, timeZone: null },
  viewer: null,
});

/** From now on the server takes the browser for this person. */
export function signedInAs(who: Who): void {
  if (who === 'visitor') refuses(user.current, { code: 401, message: '请先登录', status: 401 });
  else answers(user.current, accountOf(who));
}

const QUIET: Environment = {
  demo: false,
  simulated: true,
  trading: 'paper',
  followed: [],
  preparing: false,
  accounts: [],
};

/** From now on the server tells that of itself. */
export const environmentIs = (more: Partial<Environment>): void => answers(service.environment, { ...QUIET, ...more });

/** Opens the console at an address, by default as a visitor of a server without demo. */
export function openConsole(address: string, who: Who = 'visitor') {
  signedInAs(who);
  return visit(address);
}

/** Opens the console at an address without saying who asks: the test has said it. */
export function visit(address: string) {
  const { pathname, search, hash } = new URL(address, 'http://localhost');
  return render(<TestBrowser location={{ pathname, search, hash }} />);
}

/** Where the console is, with its query. */
export const place = (): string => `${history.location.pathname}${history.location.search}`;

/** Waits until the console is somewhere. */
export const arrived = (address: string) => waitFor(() => expect(place()).toBe(address));

/** The texts of the toasts that are shown now. */
export const toasts = (): string[] =>
  [...document.querySelectorAll('.ant-message-notice-content, .ant-message-notice')].map(
    (node) => node.textContent ?? '',
  );

export { screen };

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));

/** Of a desk that nobody has changed. */
export const BACKTEST_RULES = {
  ...{ bar: '1d' as const, zWindow: 90, entryZ: 2, exitZ: 0.5 },
  ...{ stopLoss: 0.05, takeProfit: 0.08, maxHoldingHours: 168 },
};

/** What every screen's frame asks for: nothing is the matter. */
export function frameAnswers(): void {
  environmentIs({});
  answers(opening.queue, NOTHING_OPENS);
  answers(opening.preview, NOTHING_OPENS);
  answers(pair.suggestion, { pair: null, isOwn: false, rules: BACKTEST_RULES });
  answers(unread.count, { unread: 0 });
  answers(star.list, { coins: [] });
  answers(flatten.list, { list: [], total: 0 });
  answers(flatten.held, { deals: 1, unguarded: [] });
  answers(account.failing, { failing: null });
  answers(account.stops, {
    ...{ pausedForAll: null, paused: null, dailyLossLimit: null, unvalued: null, unvaluedLive: null },
    ...{ tripped: [], unjudged: [], troubles: [], outages: [] },
  });
}

beforeEach(() => {
  sent.length = 0;
  network.resetHandlers(
    http.all('*/api/*', async ({ request }) => {
      await note(request);
      return HttpResponse.json(envelope(404, '没有这个地址', null), { status: 404 });
    }),
  );
  frameAnswers();
});

afterEach(async () => {
  cleanup();
  // What stands over the console is not part of it.
  await act(async () => {
    Modal.destroyAll();
    message.destroy();
    notification.destroy();
  });
  // A dialog that is still closing reads again as the session ends, and the next test would be shown that answer.
  await waitFor(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
  // What the test before has read is forgotten, as when somebody else sits down.
  signalSession('signedOut', false);
  sessionStorage.clear();
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage'));
});

afterAll(() => network.close());
