import { act, configure, waitFor, within } from '@testing-library/react';
import { history } from '@umijs/max';
import { message } from 'antd';
import { delay, HttpResponse, http } from 'msw';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { service } from '#contract/service';
import { BEAT_MS } from '#contract/stream';
import { user } from '#contract/user';
import { signalSession } from '@/services/sessionSignal';
import { liveNow } from '@/services/stream';
import { deskAnswers } from '../support/hedgeFixtures';
import { installLiveBrowser, TestEventSource } from '../support/liveBrowser';
import {
  frameAnswers,
  network,
  openConsole,
  person,
  refuses,
  responds,
  screen,
  sent,
  signedInAs,
  toasts,
  visit,
} from '../support/webConsole';

// The first screen waits for the whole console to be compiled.
configure({ asyncUtilTimeout: 60_000 });
jest.setTimeout(240_000);

const NO_NETWORK = 'ERR_NETWORK: 无法连接服务器，请检查网络后重试';
const BROKEN = '服务器内部错误，请稍后再试';

const broken = () => HttpResponse.json({ code: 500, message: BROKEN, data: null }, { status: 500 });
const unreachable = () => HttpResponse.error();

/** From now on nothing answers but what tells who asks. */
function breaks(how: () => Response): void {
  network.use(
    http.all('*/api/*', ({ request }) => {
      const { pathname } = new URL(request.url);
      return pathname === user.current.path || pathname === service.environment.path ? undefined : how();
    }),
  );
}

const gone = () => waitFor(() => expect(toasts()).toEqual([]));
const readsOf = (path: string) => sent.filter((one) => one.path === path).length;

afterEach(async () => {
  message.destroy();
  await gone();
});

const SCREENS: [name: string, address: string, who: string][] = [
  ['账户总览', '/', 'trader'],
  ['订单列表', '/strategy/order', 'master'],
  ['中性实盘统计', '/indicator/static', 'master'],
  ['多空对冲', '/strategy/hedge', 'trader'],
  ['中性选币', '/indicator/hedge', 'trader'],
  ['币种详情', '/indicator/symbol/detail/BTCUSDT', 'trader'],
  ['中性回测', '/test/hedge?long=BTCUSDT&short=ETHUSDT', 'trader'],
];

/** Screens in turn: both failures take one way through the console. */
const FAILURES: [how: () => Response, inPlace: string, toast: string][] = [
  [broken, BROKEN, `500: ${BROKEN}`],
  [unreachable, '无法连接服务器', NO_NETWORK],
];

test.each(SCREENS.map((screenOf, index) => [...screenOf, ...FAILURES[index % 2]!] as const))(
  '%s says in its place and by one toast that its first reading failed',
  async (_name, address, who, how, inPlace, toast) => {
    openConsole(address, who);
    breaks(how);
    expect((await screen.findAllByRole('alert'))[0]).toHaveTextContent(inPlace);
    await waitFor(() => expect(toasts()).toEqual([toast]));
  },
);

test('a refresh that keeps failing is told once, and again when it has succeeded in between', async () => {
  deskAnswers();
  openConsole('/strategy/hedge', 'trader');
  await screen.findAllByText('等待 z 入场');
  breaks(unreachable);
  await waitFor(() => expect(toasts()).toEqual([NO_NETWORK]));
  // The reads that fail are not noted, so the time of three of them has to pass.
  await act(() => new Promise((resolve) => setTimeout(resolve, 10_000)));
  expect(toasts()).toEqual([]);
  deskAnswers();
  frameAnswers();
  const before = readsOf(hedgeConfig.desk.path);
  await waitFor(() => expect(readsOf(hedgeConfig.desk.path)).toBeGreaterThan(before + 1));
  expect(toasts()).toEqual([]);
  breaks(unreachable);
  await waitFor(() => expect(toasts()).toEqual([NO_NETWORK]));
});

test('what a person tries again is told again, what the screen repeats by itself is not', async () => {
  openConsole('/', 'trader');
  breaks(broken);
  const retry = await screen.findByRole('button', { name: /重\s?试/ });
  await waitFor(() => expect(toasts()).toEqual([`500: ${BROKEN}`]));
  await act(() => new Promise((resolve) => setTimeout(resolve, 12_000)));
  expect(toasts()).toEqual([]);
  await person.click(retry);
  await waitFor(() => expect(toasts()).toEqual([`500: ${BROKEN}`]));
});

test('different failures at once are a toast each', async () => {
  deskAnswers();
  refuses(hedgeConfig.desk, { code: 403, message: '你没有权限执行此操作', status: 403 });
  responds({ method: 'GET', path: '/api/hedge' }, unreachable);
  openConsole('/strategy/hedge', 'trader');
  await waitFor(() => expect(toasts().sort()).toEqual(['403: 你没有权限执行此操作', NO_NETWORK]));
});

test('another screen tells of the same outage anew', async () => {
  openConsole('/', 'trader');
  breaks(unreachable);
  await waitFor(() => expect(toasts()).toEqual([NO_NETWORK]));
  await gone();
  act(() => history.push('/strategy/hedge'));
  await waitFor(() => expect(toasts()).toEqual([NO_NETWORK]));
});

test('a visitor whose reading is refused for want of a session is told nothing', async () => {
  openConsole('/indicator/hedge');
  network.use(
    http.get('*/api/hedge/evaluate', () =>
      HttpResponse.json({ code: 401, message: '请先登录', data: null }, { status: 401 }),
    ),
    http.get('*/api/market/*', () => HttpResponse.json({ code: 200, message: 'ok', data: { list: [], total: 0 } })),
  );
  expect((await screen.findAllByText('请先登录'))[0]).toBeVisible();
  expect(toasts()).toEqual([]);
});

test('the console that cannot start says so by its own screen and by the toast', async () => {
  responds(user.current, broken);
  visit('/');
  expect(await screen.findByRole('heading', { name: '无法加载控制台' })).toBeVisible();
  await waitFor(() => expect(toasts()).toEqual([`500: ${BROKEN}`]));
});

test('a server that is not heard for three beats is told above the screen, and nothing that moves money can be done until it is', async () => {
  deskAnswers();
  openConsole('/strategy/hedge', 'trader');
  await screen.findAllByText('等待 z 入场');
  const acts = () => [
    screen.getByRole('button', { name: '全部平仓' }),
    screen.getByRole('button', { name: /暂停开仓/ }),
    screen.getByRole('switch', { name: '启用对冲' }),
    screen.getByRole('button', { name: /添\s?加$/ }),
    screen.getAllByRole('button', { name: /^平\s?仓$/ })[0]!,
    screen.getAllByRole('button', { name: /的更多操作$/ })[0]!,
  ];
  for (const act of acts()) expect(act).toBeEnabled();
  network.use(http.all('*/api/*', unreachable));
  const banner = (await screen.findByText(/收不到服务器的消息/)).closest<HTMLElement>('[role=alert]')!;
  for (const act of acts()) expect(act).toBeDisabled();
  await person.hover(screen.getAllByRole('button', { name: /^平\s?仓$/ })[0]!);
  expect(await screen.findByText('离线：恢复连接后才能执行')).toBeVisible();
  network.resetHandlers();
  signedInAs('trader');
  deskAnswers();
  frameAnswers();
  await person.click(within(banner).getByRole('button', { name: '立即重连' }));
  await waitFor(() => expect(banner).not.toBeInTheDocument());
  for (const act of acts()) expect(act).toBeEnabled();
});

test('a stream that falls silent while it is open is a beat missed: the server is asked for before the stream is given up', async () => {
  const uninstall = installLiveBrowser();
  deskAnswers();
  openConsole('/strategy/hedge', 'trader');
  await screen.findAllByText('等待 z 入场');
  await waitFor(() => expect(TestEventSource.open).toHaveLength(1));
  act(() => TestEventSource.open[0]!.send('hello', { userId: 'id-trader', at: Date.now() }, 'boot-0'));
  const asked: string[] = [];
  network.use(
    http.all('*/api/*', ({ request }) => {
      asked.push(new URL(request.url).pathname);
      return delay('infinite');
    }),
  );
  await waitFor(() => expect(asked).toContain(service.environment.path));
  expect(liveNow().state).toBe('open');
  expect(await screen.findByText(/收不到服务器的消息/)).toBeVisible();
  signalSession('signedOut', false);
  uninstall();
});

test('a browser without a network is offline, whatever its stream says, and a dialog knows of the line that is back', async () => {
  const uninstall = installLiveBrowser();
  deskAnswers();
  openConsole('/strategy/hedge', 'trader');
  await screen.findAllByText('等待 z 入场');
  await waitFor(() => expect(TestEventSource.open).toHaveLength(1));
  const stream = TestEventSource.open[0]!;
  act(() => stream.send('hello', { userId: 'id-trader', at: Date.now() }, 'boot-0'));
  const beats = setInterval(() => act(() => stream.send('beat', { at: Date.now() })), 500);
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await person.click(screen.getByRole('button', { name: '暂停开仓' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^暂停开仓：/ }));
  const pause = await dialog.findByRole('button', { name: '暂停开仓' });
  network.use(http.all('*/api/*', unreachable));
  await person.click(pause);
  expect(await dialog.findByText(NO_NETWORK)).toBeVisible();
  act(() => void window.dispatchEvent(new Event('offline')));
  const banner = (await screen.findByText(/收不到服务器的消息/)).closest<HTMLElement>('[role=alert]')!;
  online.mockReturnValue(true);
  // Said by every browser that has its network again: until then nothing is read on a timer.
  act(() => void window.dispatchEvent(new Event('online')));
  network.resetHandlers();
  signedInAs('trader');
  deskAnswers();
  frameAnswers();
  await waitFor(() => expect(banner).not.toBeInTheDocument());
  // What was asked without a line may have been done: it is asked again by the same name.
  expect(dialog.queryByText(NO_NETWORK)).toBeNull();
  expect(dialog.getByText(/^连接已恢复，结果未知/)).toBeVisible();
  clearInterval(beats);
  online.mockRestore();
  signalSession('signedOut', false);
  uninstall();
});

test('a server that answers with errors is there: nobody is told to be offline', async () => {
  openConsole('/', 'trader');
  breaks(broken);
  await waitFor(() => expect(toasts()).toEqual([`500: ${BROKEN}`]));
  await act(() => new Promise((resolve) => setTimeout(resolve, 4 * BEAT_MS)));
  expect(screen.queryByText(/收不到服务器的消息/)).not.toBeInTheDocument();
});
