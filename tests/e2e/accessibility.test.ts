import type { Page } from 'playwright-core';
import { flatten } from '#contract/flatten';
import { routes } from '../../src/routes';
import { auditOf, prepareAudit, settle } from '../support/audit';
import { productOfTests, type Visitor } from '../support/browser';
import { makeRows } from '../support/demoRows';

const product = productOfTests();

/** A dialog or drawer that is opened on a screen: how, and what shows that it is there. */
interface Overlay {
  name: string;
  open: (page: Page) => Promise<void>;
  ready: string | RegExp;
}

interface Screen {
  path: string;
  /** Text that is there once the screen has what it shows. */
  ready: string | RegExp;
  overlays?: Overlay[];
  /** Heads of what a row is judged by, which are in view at 1440 px without moving the table. */
  decides?: string[];
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const overlay = (name: string, button: string | RegExp, ready: string | RegExp = name): Overlay => ({
  name,
  open: press(button),
  ready,
});
const REPLAYS = ['7 日重放', '30 日重放'];
const CREATE = overlay('新建策略', '新建策略', '名称');

const PALETTE: Overlay = {
  name: '搜索',
  open: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: '搜索' }).waitFor();
    await page.keyboard.type('btc');
  },
  ready: 'BTCUSDT',
};
const PROFILE: Overlay = {
  name: '个人设置',
  open: async (page) => {
    await press(/ · /)(page);
    await page.getByRole('menuitem', { name: '个人设置' }).click();
  },
  ready: '登录会话',
};
const SECOND_FACTOR: Overlay = {
  name: '两步验证',
  open: async (page) => {
    await PROFILE.open(page);
    await press('开启两步验证')(page);
    await page.getByLabel('当前密码').fill('demo-master');
    await press('下一步')(page);
  },
  ready: '确认并开启',
};

/** Who walks through which screens: of the master's, which are many, the scanners apart, and what is own beside them. */
const WALKS: [name: string, who: Visitor, screens: Screen[]][] = [
  [
    'visitor',
    'visitor',
    [
      { path: '/login', ready: '演示账户', overlays: [overlay('用一次性代码设置密码', '使用一次性代码')] },
      { path: '/register', ready: '确认密码' },
      { path: '/indicator/hedge', ready: '综合分' },
    ],
  ],
  [
    'editor',
    'editor',
    [
      { path: '/indicator/hedge?search=BTC', ready: 'BTCUSDT' },
      { path: '/user/center', ready: '抱歉，你没有权限访问该页面' },
      { path: '/no/such/screen', ready: '没有这个页面' },
    ],
  ],
  [
    'trader',
    'trader',
    [
      { path: '/', ready: '总权益', overlays: [overlay('通知', /^通知/, '已开仓')] },
      {
        path: '/strategy/hedge',
        ready: '持有',
        overlays: [
          overlay('全部平仓', '全部平仓', /按住 1 秒/),
          overlay('对冲配置', '对冲配置', '查看修改'),
          overlay('添加交易对', /添加$/, '多头'),
        ],
      },
      {
        path: '/strategy/hedge?state=all',
        ready: '持有',
        decides: ['z', '配比', 'b', '净盈亏', '收益率（按名义）', '收益率（按保证金）', '距止损 / 止盈 / 到期'],
      },
      { path: '/indicator/symbol/detail/BTCUSDT', ready: '24h' },
      { path: '/test/hedge?long=SOLUSDT&short=ADAUSDT', ready: '损益拆分' },
    ],
  ],
  [
    'master',
    'master',
    [
      { path: '/', ready: '全部账户', overlays: [PALETTE, SECOND_FACTOR] },
      { path: '/user/center', ready: '新来的', overlays: [overlay('创建用户', '创建用户')] },
      { path: '/user/center?tab=sessions', ready: /^退出该设备$/ },
      { path: '/user/center?tab=logins', ready: '密码正确' },
      { path: '/user/center?tab=audit', ready: '请求编号' },
      { path: '/user/center?tab=access', ready: '需要的权限' },
      { path: '/user/apiKey', ready: '没有白名单', overlays: [overlay('添加密钥', '添加密钥', '测试连接')] },
      {
        path: '/strategy/overview',
        ready: '日盈亏的相关性与风险贡献',
        decides: ['状态', '累计盈亏', '今日盈亏', '收益率', '净敞口', '回撤', '限额已用'],
      },
    ],
  ],
  [
    'scanners',
    'master',
    [
      {
        path: '/strategy/spread?search=b&actionable=none',
        ready: '新建策略',
        decides: ['净年化', ...REPLAYS, '剩余天数', '5% 深度', '可行性'],
      },
      {
        path: '/strategy/fundingRate?search=b&actionable=none&minApr=none&maxBreakEvenHours=none',
        ready: '新建策略',
        decides: ['净年化', ...REPLAYS, '回本小时', '开仓成本', '5% 深度', '可行性'],
      },
      {
        path: '/strategy/cexRate?search=b&actionable=none',
        ready: '新建策略',
        decides: ['净年化', ...REPLAYS, '回本天数', '双边手续费', '可行性'],
      },
      {
        path: '/strategy/okx?search=b&actionable=none',
        ready: '新建策略',
        decides: ['净价差 bps', ...REPLAYS, '净利 USDT', '手续费 bps', '可成交量', '可行性'],
      },
      {
        path: '/strategy/grid?search=b&actionable=none',
        ready: '新建策略',
        decides: ['净年化', ...REPLAYS, '区间', '每格净利', '5% 深度', '可行性'],
      },
      // What cannot be done now is folded, or all there is.
      { path: '/strategy/okx?search=b', ready: /符合筛选/ },
      {
        path: '/strategy/order?tab=ended&pageSize=20',
        ready: /USDT$/,
        overlays: [overlay('与交易所核对', '与交易所核对')],
      },
      { path: '/strategy/order?tab=fills&pageSize=20', ready: /USDT$/ },
      { path: '/indicator/static', ready: /更新于/ },
    ],
  ],
  [
    'own strategies',
    'master',
    ['spread', 'fundingRate', 'cexRate', 'okx', 'grid'].map((kind) => ({
      path: `/strategy/${kind}?tab=mine`,
      ready: `${kind} 1`,
      decides: ['状态', kind === 'grid' ? '总盈亏' : '净盈亏'],
      overlays: [CREATE],
    })),
  ],
];

beforeAll(async () => {
  await makeRows(product.write, await product.contextOf('master'), await product.contextOf('trader'));
  await product.leave();
});

test('every route is looked at', () => {
  const leaves = routes.flatMap((route) => route.routes ?? [route]).map(({ path }) => path);
  const looked = WALKS.flatMap(([, , screens]) => screens).map(({ path }) => path.replace(/\?.*/, ''));
  const missing = leaves.filter((leaf) => {
    const pattern = new RegExp(`^${leaf.replace(/:\w+/g, '[^/]+').replace('/*', '/no/.*')}$`);
    return !looked.some((path) => pattern.test(path));
  });
  expect(missing).toEqual([]);
});

/** Of these heads of columns the ones that no table shows whole. */
const outOfSight = (page: Page, heads: readonly string[]): Promise<string[]> =>
  page.evaluate((wanted) => {
    const seen = [...document.querySelectorAll('thead th')].filter((head) => {
      const row = [...head.closest('tr')!.children].map((one) => one.getBoundingClientRect());
      const box = head.getBoundingClientRect();
      const edge = Math.min(head.closest('.ant-table-container, table')!.getBoundingClientRect().right, innerWidth);
      // The last column lies over the others.
      const last = row.at(-1)!;
      return box.width > 0 && box.right <= (box.left === last.left ? edge : Math.min(edge, last.left)) + 1;
    });
    const titles = seen.map(({ textContent }) => textContent);
    return wanted.filter((title) => !titles.includes(title));
  }, heads);

/** Heads of columns that begin left of what is pinned on the right of their table, and end under it. */
const cutHeads = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('thead th')]
      .filter((head) => {
        const pinned = head.parentElement!.querySelector('.ant-table-cell-fix-end:not(:first-child)');
        if (!pinned || pinned === head) return false;
        const [box, edge] = [head.getBoundingClientRect(), pinned.getBoundingClientRect().left];
        return box.width > 0 && box.left < edge - 1 && box.right > edge + 1;
      })
      .map(({ textContent }) => textContent ?? ''),
  );

/** Looks at one screen and at what opens over it. @param found gets what keeps people out. */
async function lookAt(
  page: Page,
  { path, ready, overlays = [], decides = [] }: Screen,
  found: string[],
): Promise<void> {
  await page.goto(product.url + path);
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  found.push(...(await outOfSight(page, decides)).map((head) => `${path}: ${head} is out of sight`));
  if (decides.length > 0) found.push(...(await cutHeads(page)).map((head) => `${path}: ${head} is cut`));
  found.push(...(await auditOf(page, path)));
  for (const [i, { name, open, ready: shown }] of overlays.entries()) {
    if (i > 0) {
      await page.reload();
      await page.getByText(ready).filter({ visible: true }).first().waitFor();
    }
    await open(page);
    const within = page.locator('.ant-drawer-open, .ant-modal-wrap').last();
    await within.getByText(shown).filter({ visible: true }).first().waitFor();
    found.push(...(await auditOf(page, `${path}: ${name}`, '.ant-drawer-open, .ant-modal-wrap')));
  }
}

describe('no barrier on any screen, light or dark, wide or on a phone, and nothing sticks out', () => {
  test.each(WALKS)(
    '%s',
    async (_name, who, screens) => {
      const context = await product.contextOf(who);
      await prepareAudit(context);
      const page = await context.newPage();
      const found: string[] = [];
      for (const screen of screens) await lookAt(page, screen, found);
      expect(found).toEqual([]);
    },
    300_000,
  );
});

/** What has the focus: its role or tag, and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return `${at?.getAttribute('role') ?? at?.tagName} ${at?.getAttribute('aria-label') ?? at?.textContent}`;
  });

describe('by the keyboard alone', () => {
  test('all positions are closed: Enter asks, Enter decides nothing, a held space bar does', async () => {
    const page = await product.open('trader', '/strategy/hedge');
    await page.getByText('持有', { exact: true }).first().waitFor();
    const stop = page.getByRole('button', { name: '全部平仓' });
    await stop.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog').filter({ hasText: '全部平仓：' });
    const hold = dialog.getByRole('button', { name: /按住 1 秒/ });
    for (let tabs = 0; tabs < 5 && !(await hold.evaluate((node) => node === document.activeElement)); tabs += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith(flatten.ask.path),
    );
    await page.keyboard.down('Space');
    await sent;
    await page.keyboard.up('Space');
    await page
      .getByText(/已暂停开仓，正在平仓/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: '恢复开仓' }).waitFor();
  });

  test('the focus goes into a drawer, stays there, and comes back with Esc', async () => {
    const page = await product.open('trader', '/strategy/hedge');
    const settings = page.getByRole('button', { name: '对冲配置' });
    await settings.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '查看修改' }).waitFor();
    // Past its last field are the browser's own controls, and behind those its first one.
    const isInside = () => page.evaluate(() => document.activeElement?.matches('.ant-drawer *, body') === true);
    await page.waitForFunction(() => document.activeElement?.closest('.ant-drawer') !== null);
    for (let tabs = 0; tabs < 40; tabs += 1) {
      await page.keyboard.press('Tab');
      expect([await focused(page), await isInside()]).toEqual([expect.anything(), true]);
    }
    // The explanation of what has the focus, if there is one, is what the first Esc takes away.
    const apply = page.getByRole('button', { name: '查看修改' });
    await apply.focus();
    await page.waitForFunction(() => document.querySelector('.ant-tooltip:not(.ant-tooltip-hidden)') === null);
    await page.keyboard.press('Escape');
    await apply.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === '对冲配置');
  });

  test('a row of a table is acted upon: its menu opens with Enter, an arrow chooses, the focus comes back', async () => {
    const page = await product.open('master', '/user/center');
    const actions = page.getByRole('button', { name: '新来的 的操作' });
    await actions.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: '改变角色' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null);
    // The menu may have the focus itself for a moment, before its first item has it.
    while ((await focused(page)) !== 'menuitem 改变角色') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /改变角色：新来的/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toContain('新来的 的操作');
  });

  test.each(['/', '/strategy/hedge', '/indicator/hedge?search=BTC'])(
    'on %s the focus can be seen wherever it is',
    async (path) => {
      const context = await product.contextOf('trader');
      await prepareAudit(context);
      const page = await context.newPage();
      await page.goto(product.url + path);
      await settle(page);
      const unseen: string[] = [];
      for (let tabs = 0; tabs < 40; tabs += 1) {
        await page.keyboard.press('Tab');
        if (!(await page.evaluate(focusIsSeen))) unseen.push(await focused(page));
      }
      expect(unseen).toEqual([]);
    },
  );
});

/** Runs in the page: whether what has the focus, or what stands for it, looks otherwise than without it. */
async function focusIsSeen(): Promise<boolean> {
  const at = document.activeElement as HTMLElement | null;
  if (at === null || at === document.body) return true;
  const parts: Element[] = [at];
  // A field is drawn by what is around it, a tick and a switch's half by what is beside it.
  for (let part = at.parentElement; part && parts.length < 4; part = part.parentElement) parts.push(part);
  parts.push(...(at.parentElement?.children ?? []));
  const looks = () =>
    parts.map((part) => {
      const { outline, boxShadow, borderColor, backgroundColor, color } = getComputedStyle(part);
      return [outline, boxShadow, borderColor, backgroundColor, color].join();
    });
  const before = looks();
  const changes = () => looks().some((look, i) => look !== before[i]);
  at.blur();
  // A list that one chooses from notices a moment later.
  if (!changes()) await new Promise((resolve) => setTimeout(resolve, 300));
  const hasChanged = changes();
  at.focus({ preventScroll: true });
  // What went or was switched off meanwhile, as a banner whose reason is over does, has no focus to show.
  return hasChanged || document.activeElement !== at;
}
