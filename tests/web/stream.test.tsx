import { act, waitFor, within } from '@testing-library/react';
import { notification } from 'antd';
import { HttpResponse } from 'msw';
import { evaluate } from '#contract/evaluate';
import { market } from '#contract/market';
import type { PriceRow, StreamEvents, Topic } from '#contract/stream';
import { user } from '#contract/user';
import { signalSession } from '@/services/sessionSignal';
import { type LiveEvent, liveNow, subscribe } from '@/services/stream';
import { TickerStore } from '@/services/tickerStore';
import { evaluateRow } from '../support/evaluateFixtures';
import { installLiveBrowser, setHidden, TestEventSource } from '../support/liveBrowser';
import { answers, openConsole, refuses, responds, screen, sentTo, signedInAs, type Who } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);
let uninstall: () => void;
beforeEach(() => {
  uninstall = installLiveBrowser();
});
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  signalSession('signedOut', false);
  jest.useRealTimers();
  uninstall();
});

/** A screen that hears topics, and what it heard. */
function listen(...topics: Topic[]): LiveEvent[] {
  const heard: LiveEvent[] = [];
  stops.push(subscribe(topics, (event) => heard.push(event)));
  return heard;
}

const settle = (ms = 60) => jest.advanceTimersByTimeAsync(ms);
const source = () => {
  expect(TestEventSource.open).toHaveLength(1);
  return TestEventSource.open[0]!;
};
const order = (id: string, userId = 'me'): StreamEvents['order'] => ({
  id,
  userId,
  hedgeId: null,
  source: 'simulated',
  symbol: 'BTCUSDT',
  leg: 'long',
  side: 'buy',
  purpose: 'entry',
  state: 'filled',
  quantity: '1',
  filledQuantity: '1',
  at: AT,
});
const prices = (...rows: PriceRow[]): StreamEvents['price'] => ({ source: 'simulated', at: AT, rows });
const names = (heard: LiveEvent[]) => heard.map(({ name }) => name);

describe('the connection', () => {
  beforeEach(() => {
    jest.useFakeTimers({ advanceTimers: false });
  });

  test('is one for all screens, and each hears its own topics', async () => {
    const first = listen('order', 'price:simulated');
    const second = listen('order:all');
    await settle();
    expect(source().topics).toEqual(['order', 'order:all', 'price:simulated']);
    source().send('hello', { userId: 'me', at: AT }, 'boot-0');
    expect(liveNow()).toEqual({ state: 'open', lastEventAt: Date.now() });
    source().send('order', order('mine'), 'boot-1');
    source().send('order', order('of another', 'you'), 'boot-2');
    source().send('price', prices(['BTCUSDT', 1, null, null, AT]));
    expect(names(first)).toEqual(['order', 'price']);
    expect(names(second)).toEqual(['order', 'order']);
    source().send('reset', { at: AT });
    expect([first.at(-1)?.name, second.at(-1)?.name]).toEqual(['reset', 'reset']);
  });

  test('follows the topics: a new one at once, one less when nobody comes back to it', async () => {
    listen('order');
    await settle();
    const stop = subscribe(['price:simulated'], () => {});
    await settle();
    expect(source().topics).toEqual(['order', 'price:simulated']);
    stop();
    await settle(4_000);
    expect(source().topics).toContain('price:simulated');
    await settle(2_000);
    expect(source().topics).toEqual(['order']);
    for (const end of stops.splice(0)) end();
    await settle(6_000);
    expect(TestEventSource.open).toEqual([]);
  });

  test('comes back where it was, each time later, and at once when the network is there', async () => {
    listen('order');
    await settle();
    source().send('hello', { userId: 'me', at: AT }, 'boot-0');
    source().send('order', order('a'), 'boot-7');
    source().send('price', prices());
    source().fail();
    expect(liveNow().state).toBe('down');
    expect(TestEventSource.open).toEqual([]);
    await settle(1_000);
    expect(source().lastEventId).toBe('boot-7');
    for (const longest of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      source().fail();
      await settle(longest / 2 - 1);
      expect(TestEventSource.open).toEqual([]);
      await settle(longest / 2 + 1);
      expect(TestEventSource.open).toHaveLength(1);
    }
    source().fail();
    window.dispatchEvent(new Event('online'));
    await settle(1);
    source().send('hello', { userId: 'me', at: AT }, 'boot-9');
    expect(liveNow().state).toBe('open');
    source().fail();
    await settle(1_000);
    expect(source().lastEventId).toBe('boot-9');
  });

  test('that has fallen silent is not trusted any longer', async () => {
    listen('order');
    await settle();
    source().send('hello', { userId: 'me', at: AT }, 'boot-0');
    for (let beats = 0; beats < 5; beats += 1) {
      await settle(5_000);
      source().send('beat', { at: AT }, 'boot-0');
    }
    expect(liveNow().state).toBe('open');
    const silent = source();
    await settle(15_000);
    expect(liveNow().state).toBe('down');
    expect(silent.readyState).toBe(TestEventSource.CLOSED);
    await settle(1_000);
    expect(source()).not.toBe(silent);
  });

  test('of a hidden tab brings no prices, but orders', async () => {
    const heard = listen('order', 'price:simulated');
    await settle();
    setHidden(true);
    source().send('price', prices(['BTCUSDT', 1, null, null, AT]));
    expect(heard).toEqual([]);
    await settle(6_000);
    expect(source().topics).toEqual(['order']);
    source().send('order', order('a'), 'boot-1');
    expect(names(heard)).toEqual([]);
    source().send('hello', { userId: 'me', at: AT }, 'boot-1');
    source().send('order', order('b'), 'boot-2');
    expect(names(heard)).toEqual(['order']);
    setHidden(false);
    await settle();
    expect(source().topics).toEqual(['order', 'price:simulated']);
    expect(source().lastEventId).toBe('boot-2');
  });

  test('ends with the session, and the next account starts from nothing', async () => {
    listen('order');
    await settle();
    source().send('hello', { userId: 'me', at: AT }, 'boot-5');
    signalSession('signedOut', false);
    await settle();
    expect(TestEventSource.open).toEqual([]);
    expect(liveNow()).toEqual({ state: 'off', lastEventAt: undefined });
    signalSession('signedIn', false);
    await settle();
    expect(source().lastEventId).toBeNull();
  });
});

describe('several tabs', () => {
  interface LoadedTab {
    stream: typeof import('@/services/stream');
    close: () => void;
  }

  /** The modules of a tab of its own. */
  function openTab(): LoadedTab {
    let tab: LoadedTab | undefined;
    jest.isolateModules(() => {
      const stream = require('@/services/stream') as LoadedTab['stream'];
      const { signalSession: leave } = require('@/services/sessionSignal') as typeof import('@/services/sessionSignal');
      tab = { stream, close: () => leave('signedOut', false) };
    });
    return tab!;
  }

  test('share one connection for what all of them want, and pass it on when its holder goes', async () => {
    const [first, second, third] = [openTab(), openTab(), openTab()];
    const heard: Record<string, LiveEvent[]> = { first: [], second: [], third: [] };
    first.stream.subscribe(['order'], (event) => heard.first!.push(event));
    second.stream.subscribe(['hedge', 'order'], (event) => heard.second!.push(event));
    third.stream.subscribe(['order:all'], (event) => heard.third!.push(event));
    const topicsAre = (...topics: string[]) =>
      waitFor(() => expect(TestEventSource.open.map((s) => s.topics)).toEqual([topics]));
    await topicsAre('hedge', 'order', 'order:all');
    source().send('hello', { userId: 'me', at: AT }, 'boot-3');
    source().send('order', order('mine'), 'boot-4');
    source().send('order', order('of another', 'you'), 'boot-5');
    await waitFor(() => expect(heard.third).toHaveLength(2));
    expect(heard.first).toHaveLength(1);
    await waitFor(() => expect(heard.second).toHaveLength(1));
    await waitFor(() => expect(third.stream.liveNow().state).toBe('open'));
    const before = source();
    first.close();
    await waitFor(() => expect(TestEventSource.open.filter((s) => s !== before)).toHaveLength(1));
    expect(source().lastEventId).toBe('boot-5');
    await topicsAre('hedge', 'order', 'order:all');
    source().send('hello', { userId: 'me', at: AT }, 'boot-5');
    source().send('order', order('after'), 'boot-6');
    await waitFor(() => expect(heard.third).toHaveLength(3));
    expect(heard.first).toHaveLength(1);
    second.close();
    third.close();
    await waitFor(() => expect(TestEventSource.open).toEqual([]));
  });
});

describe('notices', () => {
  const notice = (text: string, more: Partial<StreamEvents['notice']> = {}): StreamEvents['notice'] => ({
    level: 'warning',
    text,
    at: AT,
    ...more,
  });
  const shown = () =>
    [...document.querySelectorAll('.ant-notification-notice')].map((node) =>
      node.textContent?.replace(/\s*\d\d:.*/, ''),
    );
  const pass = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));

  /** The console at a screen that reads nothing, once it hears the topics. */
  async function opens(who: Who, topics: string[], address = '/user/apiKey'): Promise<void> {
    openConsole(address, who);
    await waitFor(() => expect(TestEventSource.open.map((one) => one.topics)).toEqual([topics]), { timeout: 15_000 });
    act(() => source().send('hello', { userId: `id-${who}`, at: AT }, 'boot-0'));
  }
  const hear = (...notices: StreamEvents['notice'][]) =>
    act(async () => {
      for (const one of notices) source().send('notice', one, 'boot-1');
    });
  afterEach(() => act(async () => notification.destroy()));

  test('are shown on every screen, a warning for a moment, an error until it is closed', async () => {
    await opens('trader', ['notice', 'notification']);
    await hear(notice('杠杆接近上限'), notice('对冲单已冻结', { level: 'error' }));
    await waitFor(() => expect(shown().sort()).toEqual(['注意杠杆接近上限', '需要处理对冲单已冻结'].sort()));
    await pass(6_000);
    expect(shown()).toEqual(['需要处理对冲单已冻结']);
    const close = document.querySelector<HTMLElement>('.ant-notification-notice-close')!;
    act(() => close.click());
    await waitFor(() => expect(shown()).toEqual([]));
  }, 60_000);

  test('of all users reach a master, and one that comes twice is one', async () => {
    await opens('master', ['notice', 'notice:all', 'notification']);
    await hear(notice('trader 的对冲单已冻结'), notice('trader 的对冲单已冻结'));
    await hear(notice('trader 的对冲单已冻结', { at: AT + 1 }));
    await waitFor(() => expect(shown()).toHaveLength(2));
  }, 60_000);

  test('wait for a tab that is seen, and are not shown where another tab has shown them', async () => {
    await opens('trader', ['notice', 'notification']);
    setHidden(true);
    await hear(notice('资金费已结算'), notice('已由另一页显示'));
    await pass(200);
    expect(shown()).toEqual([]);
    localStorage.setItem('notices', JSON.stringify([`${AT} 已由另一页显示`]));
    act(() => setHidden(false));
    await waitFor(() => expect(shown()).toEqual(['注意资金费已结算']));
  }, 60_000);

  test('of one account are not there for the next', async () => {
    await opens('trader', ['notice', 'notification']);
    await hear(notice('对冲单已冻结', { level: 'error' }));
    await waitFor(() => expect(shown()).toHaveLength(1));
    signedInAs('visitor');
    act(() => signalSession('signedOut', false));
    await waitFor(() => expect(shown()).toEqual([]));
    expect(localStorage.getItem('notices')).toBeNull();
  }, 60_000);
});

describe('the ticker store', () => {
  const btc = { symbol: 'BTCUSDT', at: AT, price: 100, change24h: 0.1, turnover24h: 5 };

  test('tells only who listens to a symbol that changed', () => {
    const store = new TickerStore();
    const [onBtc, onEth] = [jest.fn(), jest.fn()];
    store.subscribe('BTCUSDT', onBtc);
    const stop = store.subscribe('ETHUSDT', onEth);
    store.publish([btc, { ...btc, symbol: 'ETHUSDT' }]);
    const kept = store.of('ETHUSDT');
    store.publish([
      { ...btc, at: AT + 1, price: 99 },
      { ...btc, symbol: 'ETHUSDT', at: AT + 1 },
    ]);
    expect([onBtc.mock.calls.length, onEth.mock.calls.length]).toEqual([2, 1]);
    expect(store.of('ETHUSDT')).toBe(kept);
    expect(store.of('BTCUSDT')).toMatchObject({ price: 99, moved: -1 });
    stop();
    store.publish([{ ...btc, symbol: 'ETHUSDT', at: AT + 2, price: 1 }]);
    expect(onEth).toHaveBeenCalledTimes(1);
  });

  test('keeps the newer price when an older reading comes late, but takes the figures it lacks', () => {
    const store = new TickerStore();
    store.publish([{ symbol: 'BTCUSDT', at: AT + 5, price: 101, mark: 101, change24h: 0.2 }]);
    store.publish([btc]);
    expect(store.of('BTCUSDT')).toMatchObject({ at: AT + 5, price: 101, change24h: 0.2, turnover24h: 5 });
    store.clear();
    expect(store.of('BTCUSDT')).toBeUndefined();
  });
});

describe('中性选币', () => {
  Element.prototype.scrollIntoView = () => {};
  const ticker = (symbol: string, price: number) => ({
    symbol,
    at: AT,
    price,
    change24h: 0.01,
    turnover24h: 1,
    openInterest: null,
    fundingRate: null,
    nextFundingAt: null,
  });
  const polls = () => sentTo(market.ticker).length;

  beforeEach(() => {
    const source = {
      source: 'simulated',
      label: '模拟行情',
      kind: 'simulated' as const,
      symbols: 2,
      bars: ['1d' as const],
      firstAt: AT,
      lastAt: AT,
    };
    answers(market.source, { list: [source], total: 1 });
    answers(evaluate.list, {
      list: [evaluateRow('BTCUSDT', 1), evaluateRow('ETHUSDT', 2)],
      total: 2,
      asOf: AT,
      ranked: 2,
      delayed: false,
      stale: [],
      tooShort: [],
    });
    answers(market.ticker, {
      list: [ticker('BTCUSDT', 100), ticker('ETHUSDT', 100)],
      total: 2,
      at: AT,
      delayed: false,
    });
  });

  test('renews the cells of what changed and nothing else, says when it is offline, then polls', async () => {
    openConsole('/indicator/hedge', 'trader');
    const btc = (await screen.findByText('BTCUSDT')).closest('tr')!;
    const eth = screen.getByText('ETHUSDT').closest('tr')!;
    await waitFor(() => expect(TestEventSource.open).toHaveLength(1));
    await waitFor(() => expect(source().topics).toEqual(['notice', 'notification', 'price:simulated']));
    act(() => source().send('hello', { userId: 'id-trader', at: AT }, 'boot-0'));
    await within(btc).findByText('100.00');
    const changed: Node[] = [];
    const observer = new MutationObserver((records) => changed.push(...records.map(({ target }) => target)));
    observer.observe(btc.closest('table')!, { subtree: true, childList: true, characterData: true, attributes: true });
    const before = polls();
    act(() => source().send('price', prices(['BTCUSDT', 123, null, 0.01, AT + 1])));
    expect(await within(btc).findByText('123.00')).toBeInTheDocument();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    observer.disconnect();
    expect(polls()).toBe(before);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every((node) => btc.contains(node))).toBe(true);
    expect(within(eth).getByText('100.00')).toBeInTheDocument();

    responds(market.ticker, () => HttpResponse.error());
    act(() => source().fail());
    expect(await screen.findByText('离线', {}, { timeout: 15_000 })).toBeInTheDocument();
    answers(market.ticker, {
      list: [ticker('BTCUSDT', 100), { ...ticker('ETHUSDT', 770), at: AT + 9 }],
      total: 2,
      at: AT,
      delayed: false,
    });
    // Whoever comes to the rescue, the stream or polling, the figures go on.
    expect(await within(eth).findByText('770.00', {}, { timeout: 15_000 })).toBeInTheDocument();
    expect(within(btc).getByText('123.00')).toBeInTheDocument();
  }, 60_000);

  test('of a visitor has no stream', async () => {
    openConsole('/indicator/hedge');
    await screen.findByText('BTCUSDT');
    expect(await screen.findByText(/更新于/)).toBeInTheDocument();
    expect(TestEventSource.all).toEqual([]);
  });

  test.each([
    ['is ended', () => source().send('end', { reason: 'session' })],
    ['is refused', () => source().fail(true)],
  ])('goes on as a visitor when the stream %s because the session is over', async (_how, end) => {
    openConsole('/indicator/hedge', 'trader');
    await screen.findByText('BTCUSDT');
    await waitFor(() => expect(TestEventSource.open).toHaveLength(1));
    refuses(user.current, { code: 401, message: '请先登录', status: 401 });
    act(end);
    expect(await screen.findByText(/访客体验/)).toBeInTheDocument();
    await waitFor(() => expect(TestEventSource.open).toEqual([]));
  });
});
