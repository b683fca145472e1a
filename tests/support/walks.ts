import type { Page } from 'playwright-core';
import { auditOf, LAID_OUT_MS, prepareAudit } from './audit';
import { type Product, productOfTests, type Visitor } from './browser';
import { makeRows } from './demoRows';
import { waitFor } from './waitFor';

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
  /** Whether its first action is looked for by the keyboard alone. */
  keyboard?: true;
  /** Heads of what a row is judged by, which are in view at 1440 px without moving the table. */
  decides?: string[];
  /** The same of the deals of the strategy that is looked at. */
  decidesOfDeals?: string[];
  /** The same on a phone, as the cards there call it. */
  decidesOnPhone?: string[];
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

type Walk = [name: string, who: Visitor, screens: Screen[]];

/** Who walks through which screens, those of the strategies aside. */
export const WALKS: Walk[] = [
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
      { path: '/user/center', ready: '抱歉，你没有权限访问该页面', keyboard: true },
      { path: '/no/such/screen', ready: '没有这个页面', keyboard: true },
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
        decides: ['净盈亏', '现在平得', '资金费', 'z 现', '为何持有 / 何时开平', '持有'],
        overlays: [
          overlay('全部平仓', '全部平仓', /按住 1 秒/),
          overlay('对冲配置', '对冲配置', '查看修改'),
          overlay('添加交易对', /添加$/, '多头'),
        ],
      },
      {
        path: '/strategy/hedge?state=ended',
        ready: '已结束',
        decides: ['净盈亏', '资金费', '持有', '收益率（按名义）', '收益率（按保证金）', '平仓原因'],
      },
      { path: '/indicator/symbol/detail/BTCUSDT', ready: '24h' },
      { path: '/test/hedge?long=SOLUSDT&short=ADAUSDT', ready: '损益拆分' },
    ],
  ],
  [
    'master',
    'master',
    [
      { path: '/', ready: '全部账户', keyboard: true, overlays: [PALETTE, SECOND_FACTOR] },
      { path: '/user/center', ready: '新来的', overlays: [overlay('创建用户', '创建用户')] },
      { path: '/user/center?tab=sessions', ready: /^退出该设备$/ },
      { path: '/user/center?tab=logins', ready: '密码正确' },
      { path: '/user/center?tab=audit', ready: '请求编号' },
      { path: '/user/center?tab=access', ready: '需要的权限' },
      { path: '/user/apiKey', ready: '没有白名单', overlays: [overlay('添加密钥', '添加密钥', '测试连接')] },
      {
        path: '/strategy/overview',
        ready: '日盈亏的相关性与风险贡献',
        keyboard: true,
        decides: ['状态', '累计盈亏', '今日盈亏', '近 7 日', '收益率', '净敞口', '回撤', '限额已用', '夏普'],
      },
    ],
  ],
];

/** Through the strategies' screens, which are the heaviest: the scanners, and what is own beside them. */
export const STRATEGY_WALKS: Walk[] = [
  [
    'scanners',
    'master',
    [
      {
        path: '/strategy/spread?search=b&actionable=none',
        ready: '新建策略',
        keyboard: true,
        decides: ['净年化', ...REPLAYS, 'z', '剩余天数', '手续费 bps', '5% 深度', '可行性'],
      },
      {
        path: '/strategy/fundingRate?search=b&actionable=none&minApr=none&maxBreakEvenHours=none',
        ready: '新建策略',
        keyboard: true,
        decides: ['净年化', ...REPLAYS, '7 日均', '开仓成本 bps', '5% 深度', '可行性'],
      },
      {
        path: '/strategy/cexRate?search=b&actionable=none',
        ready: '新建策略',
        keyboard: true,
        decides: ['净年化', ...REPLAYS, '回本天数', '手续费 bps', '可行性'],
      },
      {
        path: '/strategy/okx?search=b&actionable=none',
        ready: '新建策略',
        keyboard: true,
        decides: ['净价差 bps', ...REPLAYS, '净利 USDT', '手续费 bps', '可成交量', '可行性'],
      },
      {
        path: '/strategy/grid?search=b&actionable=none',
        ready: '新建策略',
        keyboard: true,
        decides: ['样本外', ...REPLAYS, '区间', '每格净利', '5% 深度', '可行性'],
      },
      // What cannot be done now is folded, or all there is.
      { path: '/strategy/okx?search=b', ready: /符合筛选/ },
      {
        path: '/strategy/order?tab=ended&pageSize=20',
        ready: /USDT$/,
        keyboard: true,
        decides: ['方向', '状态', '价格', '数量', '成交 %', '均价'],
        overlays: [overlay('与交易所核对', '与交易所核对')],
      },
      {
        path: '/strategy/order?tab=fills&pageSize=20',
        ready: /USDT$/,
        decides: ['方向', '成交价', '数量', '已实现价格盈亏'],
      },
      { path: '/indicator/static', ready: /更新于/ },
    ],
  ],
  [
    'own strategies',
    'master',
    ['spread', 'fundingRate', 'cexRate', 'okx', 'grid'].map((kind) => ({
      path: `/strategy/${kind}?tab=mine`,
      ready: `${kind} 1`,
      decides: [
        ...['状态', kind === 'grid' ? '总盈亏' : '净盈亏', '今日', '净敞口', '限额已用'],
        ...(kind === 'grid' ? ['区间与现价', '网格 / 浮动'] : ['价格盈亏', '资金费', '手续费', '持有']),
      ],
      decidesOfDeals: ['标的', '状态', '净盈亏', '现在平得', '为何持有 / 何时平', '资金费', '持有时长', '距强平'],
      decidesOnPhone: [kind === 'grid' ? '总盈亏' : '净盈亏 (USDT)', '标的'],
      overlays: [CREATE],
    })),
  ],
];

/** Of these heads of columns the ones that no table shows whole. @param within a selector of where they are looked for */
const outOfSight = (page: Page, heads: readonly string[], within = 'body'): Promise<string[]> =>
  page.evaluate(
    ({ wanted, within }) => {
      const seen = [...document.querySelectorAll(`${within} :is(thead th, article dt)`)].filter((head) => {
        const box = head.getBoundingClientRect();
        // Of a card.
        if (head.tagName === 'DT') return box.width > 0 && box.right <= innerWidth + 1;
        const row = [...head.closest('tr')!.children].map((one) => one.getBoundingClientRect());
        const edge = Math.min(head.closest('.ant-table-container, table')!.getBoundingClientRect().right, innerWidth);
        // The last column lies over the others.
        const last = row.at(-1)!;
        return box.width > 0 && box.right <= (box.left === last.left ? edge : Math.min(edge, last.left)) + 1;
      });
      const titles = seen.map(({ textContent }) => textContent);
      return wanted.filter((title) => !titles.includes(title));
    },
    { wanted: heads, within },
  );

/** Heads of a table's columns that begin left of what is pinned on its right, and end under it. */
const cutHeads = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.ant-table-thead th')]
      .filter((head) => {
        const pinned = head.parentElement!.querySelector('.ant-table-cell-fix-end:not(:first-child)');
        if (!pinned || pinned === head) return false;
        const [box, edge] = [head.getBoundingClientRect(), pinned.getBoundingClientRect().left];
        return box.width > 0 && box.left < edge - 1 && box.right > edge + 1;
      })
      .map(({ textContent }) => textContent ?? ''),
  );

/** What is still found once the page is laid out: a table gets its widths after its rows. */
async function atRest(look: () => Promise<string[]>): Promise<string[]> {
  let found: string[] = [];
  const isWell = async () => {
    found = await look();
    return found.length === 0;
  };
  await waitFor('nothing is found', LAID_OUT_MS, isWell).catch(() => undefined);
  return found;
}

/** Where the focus is: on the screen's frame, within it, or before it on what is called so. */
export const placeOfFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (at?.id === 'screen') return 'screen';
    return at?.closest('#screen') ? 'within' : (at?.textContent ?? '');
  });

const WAY_PAST = '跳到主要内容';
const MOST_STOPS = 10;

/** What keeps somebody with a keyboard alone from the first action of a screen that has just been opened. */
async function keyboardBarriers(page: Page): Promise<string[]> {
  await page.locator('#screen :is(button, input, a):visible').first().waitFor();
  await page.keyboard.press('Tab');
  const places = [await placeOfFocus(page)];
  while (places.length < MOST_STOPS && places.at(-1) !== 'within') {
    await page.keyboard.press('Tab');
    places.push(await placeOfFocus(page));
  }
  const barriers: string[] = [];
  if (places[0] !== WAY_PAST) barriers.push(`the first stop is ${places[0]}`);
  if (places.at(-1) !== 'within') barriers.push(`no action within ${MOST_STOPS} stops: ${places.join(', ')}`);
  await page.getByText(WAY_PAST).focus();
  await page.keyboard.press('Enter');
  const led = await placeOfFocus(page);
  await page.keyboard.press('Tab');
  const next = await placeOfFocus(page);
  if (led !== 'screen' || next !== 'within') barriers.push(`the way past head and menu leads to ${led}, then ${next}`);
  const { hash } = new URL(page.url());
  if (hash !== '') barriers.push(`the way past head and menu leaves ${hash} in the address`);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  return barriers;
}

/** Looks at one screen and at what opens over it. @param found gets what keeps people out. */
async function lookAt(
  page: Page,
  url: string,
  { path, ready, overlays = [], keyboard, decides = [], decidesOfDeals = [], decidesOnPhone = [] }: Screen,
  found: string[],
): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url + path);
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  if (keyboard) found.push(...(await keyboardBarriers(page)).map((barrier) => `${path}: ${barrier}`));
  if (decides.length > 0) {
    found.push(...(await atRest(() => outOfSight(page, decides))).map((head) => `${path}: ${head} is out of sight`));
    const ofDeals = await atRest(() => outOfSight(page, decidesOfDeals, '[aria-label="交易单"]'));
    found.push(...ofDeals.map((head) => `${path}: ${head} of the deals is out of sight`));
    found.push(...(await atRest(() => cutHeads(page))).map((head) => `${path}: ${head} is cut`));
  }
  found.push(...(await auditOf(page, path)));
  if (decidesOnPhone.length > 0) {
    await page.setViewportSize({ width: 390, height: 844 });
    const lost = await atRest(() => outOfSight(page, decidesOnPhone));
    found.push(...lost.map((head) => `${path}: ${head} is out of sight on a phone`));
  }
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

/** A product whose lists have rows, for the tests of a file, and the tests that walk through its screens. */
export function productWalkedThrough(walks: Walk[]): Product {
  const product = productOfTests();
  beforeAll(async () => {
    await makeRows(product.write, await product.contextOf('master'), await product.contextOf('trader'));
    await product.leave();
  });

  describe('no barrier on any screen, light or dark, wide or on a phone, and nothing sticks out', () => {
    test.each(walks)('%s', async (_name, who, screens) => {
      const context = await product.contextOf(who);
      await prepareAudit(context);
      const page = await context.newPage();
      const found: string[] = [];
      for (const screen of screens) await lookAt(page, product.url, screen, found);
      expect(found).toEqual([]);
    });
  });
  return product;
}
