import { act, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { evaluate } from '#contract/evaluate';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { market } from '#contract/market';
import { MOST_STARS, star } from '#contract/star';
import { strategies } from '#contract/strategies';
import { signalSession } from '@/services/sessionSignal';
import { evaluateRow } from '../support/evaluateFixtures';
import { gapOf } from '../support/scanFixtures';
import { answers, openConsole, place, refuses, responds, screen, sent, toasts } from '../support/webConsole';

jest.setTimeout(60_000);

const AT = Date.UTC(2026, 0, 15);

/** The server of a test: lists what is asked for, and keeps the stars of the account. */
function serve(coins: string[] = []) {
  let kept = coins;
  answers(market.source, { list: [], total: 0 });
  answers(evaluate.list, (request) => {
    const wanted = new URL(request.url).searchParams.get('coins');
    const list = [evaluateRow('BTCUSDT', 1), evaluateRow('ETHUSDT', 2)].filter(
      ({ base }) => wanted?.split(',').includes(base) ?? true,
    );
    return { list, total: list.length, asOf: AT, ranked: 2, delayed: false, stale: [], tooShort: [] };
  });
  answers(star.list, () => ({ coins: kept }));
  answers(star.add, () => ({ coins: kept }));
  answers(star.remove, () => ({ coins: kept }));
  return (next: string[]) => {
    kept = next;
  };
}

const starOf = (name: string) => screen.findByRole('button', { name: `自选 ${name}` });
const lists = (path: string) => sent.filter((call) => call.path === path && call.method === 'GET');
const writes = () => sent.filter(({ path, method }) => path === star.add.path && method !== 'GET');

test('a star goes to the account; the list narrows down to the starred and says so in the address', async () => {
  const keep = serve(['ETH']);
  openConsole('/indicator/hedge', 'trader');
  const [bitcoin, ether] = [await starOf('BTC'), await starOf('ETH')];
  await waitFor(() => expect(ether).toHaveAttribute('aria-pressed', 'true'));
  expect(bitcoin).toHaveAttribute('aria-pressed', 'false');
  keep(['BTC', 'ETH']);
  await userEvent.click(bitcoin);
  await waitFor(() => expect(bitcoin).toHaveAttribute('aria-pressed', 'true'));
  expect(writes().map(({ method, body }) => [method, body])).toEqual([['PUT', { coins: ['BTC'] }]]);
  keep(['BTC']);
  await userEvent.click(ether);
  await waitFor(() => expect(ether).toHaveAttribute('aria-pressed', 'false'));
  expect(writes().at(-1)).toMatchObject({ method: 'DELETE', body: { coin: 'ETH' } });
  await userEvent.click(screen.getByRole('button', { name: '只看自选' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: '自选 ETH' })).not.toBeInTheDocument());
  expect(lists(evaluate.list.path).at(-1)!.query.get('coins')).toBe('BTC');
  expect(place()).toBe('/indicator/hedge?coins=1');
});

test('an address that asks for the starred waits until they are known', async () => {
  serve(['ETH']);
  openConsole('/indicator/hedge?coins=1', 'trader');
  expect(await starOf('ETH')).toBeVisible();
  expect(screen.queryByRole('button', { name: '自选 BTC' })).not.toBeInTheDocument();
});

test('where they could not be read, a list of them waits until they can be', async () => {
  serve(['ETH']);
  refuses(star.list, { status: 503, code: 503, message: '服务器繁忙' });
  openConsole('/indicator/hedge?coins=1', 'trader');
  await waitFor(() => expect(lists(star.list.path)).not.toHaveLength(0));
  answers(star.list, { coins: ['ETH'] });
  expect(await starOf('ETH')).toBeVisible();
});

test('a full list says so, and the star stays empty', async () => {
  serve();
  refuses(star.add, { code: 8021, message: '自选已满，请先移出不看的' });
  openConsole('/indicator/hedge', 'trader');
  await userEvent.click(await starOf('BTC'));
  await waitFor(() => expect(toasts().join()).toContain('自选已满'));
  expect(await starOf('BTC')).toHaveAttribute('aria-pressed', 'false');
});

test('a visitor keeps his in the browser; at login they go over to the account', async () => {
  const keep = serve();
  const { unmount } = openConsole('/indicator/hedge');
  await userEvent.click(await starOf('ETH'));
  await userEvent.click(await starOf('BTC'));
  await userEvent.click(await starOf('BTC'));
  expect(writes()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: '只看自选' }));
  await waitFor(() => expect(lists(evaluate.list.path).at(-1)!.query.get('coins')).toBe('ETH'));
  expect(await starOf('ETH')).toHaveAttribute('aria-pressed', 'true');
  unmount();
  signalSession('signedIn', false);
  answers(star.list, { coins: ['SOL'] });
  keep(['ETH', 'SOL']);
  openConsole('/indicator/hedge', 'trader');
  await waitFor(async () => expect(await starOf('ETH')).toHaveAttribute('aria-pressed', 'true'));
  expect(writes().map(({ method, body }) => [method, body])).toEqual([['PUT', { coins: ['ETH'] }]]);
  expect(localStorage.getItem('stars')).toBe('[]');
});

test('what a visitor starred goes to the account that signs in and to no later one, also where it has it already', async () => {
  serve(['BTC']);
  const { unmount } = openConsole('/indicator/hedge');
  await userEvent.click(await starOf('BTC'));
  unmount();
  signalSession('signedIn', false);
  openConsole('/indicator/hedge', 'trader');
  await waitFor(async () => expect(await starOf('BTC')).toHaveAttribute('aria-pressed', 'true'));
  expect(writes()).toEqual([]);
  expect(localStorage.getItem('stars')).toBe('[]');
});

test('a star that is answered after the end of the session is not shown to who comes next', async () => {
  serve();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  responds(star.add, async () => {
    await answered;
    return Response.json({ code: 200, message: 'ok', data: { coins: ['BTC'] } });
  });
  const { unmount } = openConsole('/indicator/hedge', 'trader');
  const bitcoin = await starOf('BTC');
  await waitFor(() => expect(bitcoin).toBeEnabled());
  await userEvent.click(bitcoin);
  unmount();
  signalSession('signedOut', false);
  openConsole('/indicator/hedge');
  const shown = await starOf('BTC');
  await waitFor(() => expect(shown).toBeEnabled());
  answer();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(shown).toHaveAttribute('aria-pressed', 'false');
});

test('what a visitor starred stays in the browser where the account could not take it', async () => {
  serve();
  const { unmount } = openConsole('/indicator/hedge');
  await userEvent.click(await starOf('BTC'));
  unmount();
  refuses(star.add, { code: 500, message: '服务器出错' });
  signalSession('signedIn', false);
  openConsole('/indicator/hedge', 'trader');
  await waitFor(() => expect(writes()).not.toEqual([]));
  await waitFor(() => expect(toasts().join()).toContain('服务器出错'));
  expect(localStorage.getItem('stars')).toBe('["BTC"]');
});

test('stars of a visitor follow those of another tab, and a full list says so and loses none', async () => {
  serve();
  openConsole('/indicator/hedge');
  const bitcoin = await starOf('BTC');
  const coins = ['BTC', ...Array.from({ length: MOST_STARS - 1 }, (_, i) => `COIN${i}`)];
  localStorage.setItem('stars', JSON.stringify(coins));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'stars' })));
  expect(bitcoin).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(await starOf('ETH'));
  await waitFor(() => expect(toasts().join()).toContain('自选已满'));
  expect(JSON.parse(localStorage.getItem('stars')!)).toEqual(coins);
  expect(await starOf('ETH')).toHaveAttribute('aria-pressed', 'false');
});

test('a scanner has the same stars, and says what showing them alone keeps away', async () => {
  serve(['GRASS']);
  answers(strategies.list, { list: [] });
  answers(arbitrageScan.list, (request) => {
    const isNarrowed = new URL(request.url).searchParams.get('coins') === 'GRASS';
    const list = isNarrowed ? [gapOf('GRASS')] : [gapOf('GRASS'), gapOf('PEPE')];
    const hidden = isNarrowed ? [{ filter: 'coins', rows: 1 }] : [];
    return { list, total: list.length, all: 2, hidden, at: AT };
  });
  openConsole('/strategy/okx', 'master');
  await waitFor(async () => expect(await starOf('GRASS')).toHaveAttribute('aria-pressed', 'true'));
  expect(await starOf('PEPE')).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(screen.getByRole('button', { name: '只看自选' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: '自选 PEPE' })).not.toBeInTheDocument());
  expect(place()).toContain('coins=1');
  const hidden = screen.getByRole('list', { name: '挡住机会的筛选', hidden: true });
  expect(within(hidden).getByText('只看自选')).toBeInTheDocument();
  await userEvent.click(screen.getByText('另有 1 行不符合筛选'));
  await userEvent.click(within(hidden).getByRole('button', { name: '去掉 只看自选' }));
  expect(await starOf('PEPE')).toBeVisible();
  expect(place()).not.toContain('coins');
});
