import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { account } from '#contract/account';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { savedView } from '#contract/savedView';
import { search } from '#contract/search';
import { GO_KEYS } from '@/keys/goKeys';
import { type Route, routes } from '@/routes';
import { deskOf, listOf, rowOf } from '../support/hedgeFixtures';
import { answers, arrived, openConsole, person, place, sent, sentTo } from '../support/webConsole';

const written = () => sent.filter(({ method }) => method !== 'GET');
const VIEW = { id: 'v1', name: '高年化', query: 'minApr=0.2&size=100000', createdAt: 0 };

beforeEach(() => {
  answers(account.state, { at: 0, account: null });
  answers(fundingScan.list, { list: [], total: 0, all: 0, hidden: [], at: 0 });
  answers(search.everything, { coins: [], hedges: [], strategies: [], users: [] });
  answers(savedView.list, { list: [VIEW], total: 1 });
});

const ready = () => screen.findByRole('button', { name: '搜索（Ctrl K）' });
const dialogs = () => screen.queryAllByRole('dialog');

test('every screen of the menu has a letter of its own, and none leads elsewhere', () => {
  const leaves = (list: Route[]): Route[] => list.flatMap((route) => (route.routes ? leaves(route.routes) : [route]));
  const menu = leaves(routes).filter(({ hideInMenu }) => !hideInMenu);
  expect(Object.values(GO_KEYS).sort()).toEqual(menu.map(({ path }) => path).sort());
});

test('g and a letter goes to a screen that one may open, and to no other', async () => {
  openConsole('/', 'trader');
  await ready();
  // The first of these is heard before the code that knows it is there.
  await person.keyboard('gs');
  await arrived('/indicator/hedge');
  await person.keyboard('go');
  await person.keyboard('gk');
  await arrived('/user/apiKey');
});

test('/ goes to the search field of the screen, where the same keys are letters', async () => {
  openConsole('/strategy/fundingRate', 'master');
  const field = await screen.findByRole('textbox', { name: '搜索' });
  await ready();
  await person.keyboard('/');
  await waitFor(() => expect(field).toHaveFocus());
  await person.keyboard('gh?/');
  expect(field).toHaveValue('gh?/');
  expect(place()).toMatch(/^\/strategy\/fundingRate/);
  expect(dialogs()).toEqual([]);
});

test('? tells the keys, those of screens by right, and while a dialog is open no key does anything', async () => {
  openConsole('/', 'trader');
  await ready();
  await person.keyboard('?');
  const help = await screen.findByRole('dialog', { name: '键盘快捷键' });
  expect(within(help).getByText('多空对冲')).toBeInTheDocument();
  expect(within(help).queryByText('订单列表')).not.toBeInTheDocument();
  await person.keyboard('gh');
  expect(place()).toBe('/');
  await person.keyboard('{Escape}');
  await waitFor(() => expect(dialogs()).toEqual([]));
});

test('Ctrl+K finds screens, coins, hedges and, for a master, strategies and users; Enter opens the first', async () => {
  answers(search.everything, {
    coins: [{ source: 'simulated', symbol: 'BTC/USDT:USDT', name: '比特币' }],
    hedges: [1, 2].map((day) => ({
      ...{ id: `h${day}`, long: 'BTCUSDT', short: 'ETHUSDT', state: 'open' as const, user: 'trader' },
      createdAt: Date.UTC(2026, 0, day),
    })),
    strategies: [{ id: 's1', kind: 'grid', name: 'BTC 网格', state: 'running', user: 'trader' }],
    users: [{ id: 'u1', name: 'trader', role: 'user' }],
  });
  openConsole('/', 'master');
  await ready();
  await person.keyboard('{Control>}k{/Control}');
  const palette = await screen.findByRole('dialog', { name: '搜索' });
  expect(await within(palette).findByText('订单列表')).toBeInTheDocument();
  await person.keyboard('btc');
  expect(await within(palette).findByText('BTC/USDT:USDT 比特币')).toBeInTheDocument();
  expect(within(palette).getAllByText('BTCUSDT / ETHUSDT')).toHaveLength(2);
  expect(within(palette).getByText(/^持有 · 2026-01-01 .* · trader$/)).toBeInTheDocument();
  expect(within(palette).getByText(/^持有 · 2026-01-02 .* · trader$/)).toBeInTheDocument();
  expect(within(palette).getByText('普通用户')).toBeInTheDocument();
  expect(within(palette).getByText('花式网格 · 运行 · trader')).toBeInTheDocument();
  await waitFor(() =>
    expect(palette.querySelector('.ant-select-item-option-active')).toHaveTextContent('BTC/USDT:USDT'),
  );
  // The list goes by the key's code, which user-event leaves out.
  fireEvent.keyDown(document.activeElement!, { key: 'Enter', keyCode: 13 });
  await arrived('/indicator/symbol/detail/BTC%2FUSDT%3AUSDT?source=simulated');
  await waitFor(() => expect(dialogs()).toEqual([]));
});

test('no key moves money', async () => {
  answers(hedgeConfig.desk, deskOf());
  answers(hedge.list, listOf([rowOf('h1')]));
  openConsole('/strategy/hedge', 'trader');
  await screen.findByText('全部平仓');
  await ready();
  for (const key of [...'abcdefijklmnopqrstuvwxyz', '{Enter}', '{Delete}', '{Backspace}', ' ']) {
    await person.keyboard(key);
    (document.activeElement as HTMLElement | null)?.blur();
  }
  expect(dialogs()).toEqual([]);
  expect(written()).toEqual([]);
});

test('a view keeps filters and assumptions under a name, and brings them back', async () => {
  openConsole('/strategy/fundingRate?minApr=0.1&current=3', 'master');
  await person.click(await screen.findByRole('button', { name: '视图' }));
  const panel = (await screen.findByText('保存的视图')).closest<HTMLElement>('.ant-popover')!;
  await within(panel).findByText('高年化');
  answers(savedView.save, { ...VIEW, id: 'v2', name: '我的' });
  await person.type(within(panel).getByLabelText('视图名称'), ' 我的 ');
  await person.click(within(panel).getByRole('button', { name: /^保\s?存$/ }));
  const body = { screen: '/strategy/fundingRate', name: ' 我的 ', query: 'minApr=0.1' };
  await waitFor(() => expect(written().at(-1)?.body).toEqual(body));
  answers(savedView.remove, null);
  await person.click(within(panel).getByRole('button', { name: '删除 高年化' }));
  await waitFor(() => expect(written().at(-1)?.body).toEqual({ id: 'v1' }));
  await person.click(within(panel).getByText('高年化'));
  await waitFor(() => expect(place()).toBe('/strategy/fundingRate?minApr=0.2&size=100000'));
  expect(sentTo(fundingScan.list).at(-1)!.query.get('size')).toBe('100000');
});
