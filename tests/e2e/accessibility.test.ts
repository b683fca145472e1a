import type { Page } from 'playwright-core';
import { flatten } from '#contract/flatten';
import { routes } from '../../src/routes';
import { prepareAudit, settle } from '../support/audit';
import { waitFor } from '../support/waitFor';
import { placeOfFocus, productWalkedThrough, STRATEGY_WALKS, WALKS } from '../support/walks';

const product = productWalkedThrough(WALKS);

test('every route is looked at', () => {
  const leaves = routes.flatMap((route) => route.routes ?? [route]).map(({ path }) => path);
  const looked = [...WALKS, ...STRATEGY_WALKS]
    .flatMap(([, , screens]) => screens)
    .map(({ path }) => path.replace(/\?.*/, ''));
  const missing = leaves.filter((leaf) => {
    const pattern = new RegExp(`^${leaf.replace(/:\w+/g, '[^/]+').replace('/*', '/no/.*')}$`);
    return !looked.some((path) => pattern.test(path));
  });
  expect(missing).toEqual([]);
});

/** What has the focus: its role or tag, and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return `${at?.getAttribute('role') ?? at?.tagName} ${at?.getAttribute('aria-label') ?? at?.textContent}`;
  });

describe('by the keyboard alone', () => {
  test('the way past head and menu is there before the console is, and leads to the screen once that has come', async () => {
    const context = await product.contextOf('trader');
    const page = await context.newPage();
    let known = () => {};
    const whoAsks = new Promise<void>((resolve) => {
      known = resolve;
    });
    await page.route('**/api/user', async (route) => {
      await whoAsks;
      await route.continue();
    });
    await page.goto(`${product.url}/strategy/hedge`, { waitUntil: 'commit' });
    await page.locator('.first-frame').waitFor();
    await page.keyboard.press('Tab');
    expect(await placeOfFocus(page)).toBe('跳到主要内容');
    await page.keyboard.press('Enter');
    known();
    await page.waitForFunction(() => document.activeElement?.id === 'screen');
  });

  test('the menu is one stop: arrows choose of it, Enter opens the screen', async () => {
    const page = await product.open('trader', '/strategy/hedge');
    await page.getByText('持有', { exact: true }).first().waitFor();
    await page.getByRole('menu').first().focus();
    for (let steps = 0; steps < 12; steps += 1) {
      const before = await focused(page);
      if (before.endsWith('账户总览')) break;
      await page.keyboard.press('ArrowDown');
      await waitFor('the focus moves', 60_000, async () => (await focused(page)) !== before);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.url}/`);
  });

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
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === '新来的 的操作');
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

test('the filters of the order list stand in one row beside nothing that takes their room', async () => {
  const page = await product.open('master', '/strategy/order');
  const filters = page.getByRole('search');
  await filters.getByRole('button', { name: /^更多筛选/ }).waitFor();
  const middles = await filters.evaluate((bar) =>
    [...bar.querySelectorAll('.ant-select, .ant-input-search, button[aria-expanded]')]
      .map((one) => one.getBoundingClientRect())
      .filter(({ height }) => height > 0)
      .map(({ top, height }) => top + height / 2),
  );
  expect(middles.length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(16);
});
