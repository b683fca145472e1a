import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { evaluate } from '#contract/evaluate';
import { endpoints } from '#contract/index';
import { productOfTests } from '../support/browser';
import { writeCandleFiles } from '../support/candleFiles';
import { loadedBy, PAGES, weightOf } from '../support/pageBytes';
import { ROOT } from '../support/projectFiles';
import { runToEnd, startProgram } from '../support/serverProcess';

const COINS = ['BTCUSDT', 'AAAUSDT', 'BBBUSDT', 'CCCUSDT', '我踏马来了USDT'];

const product = productOfTests();
let imported: Awaited<ReturnType<typeof runToEnd>>;
beforeAll(async () => {
  // While the server runs: the command goes through it.
  const folder = writeCandleFiles(COINS);
  imported = await runToEnd(startProgram('start/cli/import.ts', [folder], { DATA_DIR: product.server.dataDir }, true));
});

const rowOf = (page: Page, symbol: string) => page.locator(`tr[data-row-key="${symbol}"]`);

describe('importing', () => {
  test('names what it rejected by file, line and reason, and what stood twice', () => {
    expect(imported.code).toBe(0);
    const said = imported.stdout + imported.stderr;
    expect(said).toMatch(/AAAUSDT\.csv:123：拒绝，.*high/);
    expect(said).toContain('AAAUSDT.csv：重复 1 行');
    expect(said).toContain('币种 5 个');
  });
});

describe('the selection', () => {
  test('ranks the simulated market, filters it, and keeps the view in the address', async () => {
    const page = await product.open('trader', '/indicator/hedge');
    await rowOf(page, 'BTCUSDT').or(page.getByText('综合分')).first().waitFor();
    await page.getByLabel('搜索', { exact: true }).fill('ETH');
    await rowOf(page, 'ETHUSDT').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('tr[data-row-key]').length < 10);
    expect(page.url()).toContain('search=ETH');
    await page.reload();
    await rowOf(page, 'ETHUSDT').waitFor();
    expect(await page.getByLabel('搜索', { exact: true }).inputValue()).toBe('ETH');
  });

  test('on a phone no name of a coin breaks, and the rows are even, also beside a long note', async () => {
    const note = '板块里成交最活跃的一个，资金费长期为正；等回到均值附近再看';
    await product.write(await product.contextOf('editor'), evaluate.note, { symbol: 'PENGUUSDT', note });
    const page = await product.open('trader', '/indicator/hedge?pageSize=100', {
      viewport: { width: 390, height: 844 },
    });
    await rowOf(page, 'MOODENGUSDT').waitFor();
    // Cells that no window shows at first are drawn late.
    await rowOf(page, 'PENGUUSDT').getByText(note).waitFor({ state: 'attached' });
    const uneven = () =>
      page.evaluate(() => {
        const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row-key]')];
        const heights = new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)));
        const names = rows.map((row) => row.querySelector('a')!);
        const cut = names.filter((name) => name.getClientRects().length > 1 || name.scrollWidth > name.clientWidth);
        return [...(heights.size > 1 ? [...heights] : []), ...cut.map(({ textContent }) => textContent)];
      });
    expect(await uneven()).toEqual([]);
  });

  test('shows imported coins with their exchange', async () => {
    const page = await product.open('trader', '/indicator/hedge?source=okx');
    await rowOf(page, '我踏马来了USDT').waitFor();
    await page
      .getByText(/导入数据.*okx/)
      .first()
      .waitFor();
    for (const coin of COINS) expect(await rowOf(page, coin).count()).toBe(1);
  });

  test('explains a score by its factors', async () => {
    const page = await product.open('trader', '/indicator/hedge?source=okx');
    await rowOf(page, 'AAAUSDT').locator('button.ant-table-row-expand-icon').click();
    await page.getByText('缺失').first().waitFor();
  });

  test('prices move on by themselves', async () => {
    const page = await product.open('trader', '/indicator/hedge');
    const price = rowOf(page, 'BTCUSDT').locator('td').nth(3);
    await price.waitFor();
    const before = await page.locator('tbody').textContent();
    await page.waitForFunction((text) => document.querySelector('tbody')?.textContent !== text, before, {
      timeout: 20_000,
    });
    await page.getByText(/更新于 \d\d:\d\d:\d\d/).waitFor();
  });

  test('an editor writes a note that a trader reads and cannot edit', async () => {
    const editor = await product.open('editor', '/indicator/hedge?source=okx');
    await editor.getByRole('button', { name: '编辑 BBBUSDT 的评价' }).click();
    await editor.getByRole('textbox', { name: 'BBBUSDT 的评价' }).fill('解锁前不碰');
    await editor.keyboard.press('Enter');
    await rowOf(editor, 'BBBUSDT').getByText('解锁前不碰').waitFor();
    await rowOf(editor, 'BBBUSDT').getByRole('button', { name: '空', exact: true }).click();

    const trader = await product.open('trader', '/indicator/hedge?source=okx');
    await rowOf(trader, 'BBBUSDT').getByText('解锁前不碰').waitFor();
    expect(await trader.getByRole('button', { name: /编辑 .* 的评价/ }).count()).toBe(0);
    await trader.getByRole('button', { name: 'BBBUSDT 的评价历史' }).click();
    await trader.getByText('→ 解锁前不碰').waitFor();
    await trader.getByText('editor').first().waitFor();
  });

  test('the head goes with its body when the keyboard moves through it', async () => {
    const page = await product.open('trader', '/indicator/hedge');
    // Its rows come after its head, and take the focus out of it.
    await rowOf(page, 'BTCUSDT').waitFor();
    const scrolled = () =>
      page.evaluate(() =>
        ['.ant-table-header', '.ant-table-body'].map((part) => document.querySelector(part)!.scrollLeft),
      );
    await page.locator('.ant-table-header .ant-table-column-has-sorters').last().focus();
    await page.waitForFunction(() => document.querySelector('.ant-table-body')!.scrollLeft > 0);
    const [head, body] = await scrolled();
    expect(head).toBe(body);
  });

  test('columns are hidden in their settings, whose ticks can be seen, and stay so', async () => {
    const page = await product.open('trader', '/indicator/hedge');
    await page.getByRole('button', { name: '列设置' }).click();
    const tick = page.getByRole('checkbox', { name: /\b24h$/ });
    await tick.waitFor();
    expect((await tick.boundingBox())!.width).toBeGreaterThan(5);
    expect(
      await tick
        .locator('.ant-tree-checkbox-inner')
        .or(tick)
        .first()
        .evaluate((node) => getComputedStyle(node).borderTopStyle),
    ).toBe('solid');
    await tick.click();
    const head = page.locator('.ant-table-thead').getByText('24h', { exact: true });
    await head.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.ant-table-thead').getByText('综合分').waitFor();
    expect(await head.count()).toBe(0);
  });

  test('the CSV holds the filter, whole', async () => {
    const page = await product.open('trader', '/indicator/hedge?source=okx');
    await rowOf(page, 'AAAUSDT').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /CSV|导出/ }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text.charCodeAt(0)).toBe(0xfeff);
    expect(text.trim().split('\n')).toHaveLength(COINS.length + 1);
    expect(text).toContain('我踏马来了USDT');
  });

  test('a pair is built, looked at and taken to the backtest', async () => {
    const page = await product.open('trader', '/indicator/hedge?source=okx');
    await page.getByRole('button', { name: 'AAAUSDT 加入多头' }).click();
    await page.getByRole('button', { name: 'BBBUSDT 加入空头' }).click();
    await page.reload();
    await page.getByRole('button', { name: '查看配对' }).click();
    await page.getByText('半衰期').waitFor();
    await page.locator('canvas').first().waitFor();
    await page.getByRole('button', { name: '加入对冲' }).waitFor();
    expect(await page.getByRole('button', { name: '加入对冲' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: /^回\s?测$/ }).click();
    await page.waitForURL(/\/test\/hedge\?.*long=AAAUSDT/);
    await page.getByText('净收益').first().waitFor();
  });
});

describe('a visitor', () => {
  test('sees twenty delayed rows without authors, tries a backtest, and takes his pair along into an account', async () => {
    const page = await product.open('visitor', '/indicator/hedge');
    await page.getByText('延迟').first().waitFor();
    await page.locator('tr[data-row-key]').first().waitFor();
    expect(await page.locator('tr[data-row-key]').count()).toBe(20);
    expect(await page.getByRole('button', { name: /编辑 .* 的评价/ }).count()).toBe(0);
    const [first, second] = await page
      .locator('tr[data-row-key]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row-key')));
    await page.getByRole('button', { name: `${first} 加入多头` }).click();
    await page.getByRole('button', { name: `${second} 加入空头` }).click();
    await page.getByRole('button', { name: '试用回测' }).click();
    const trial = page.getByRole('dialog', { name: /^试用回测/ });
    await trial.getByText('净收益').first().waitFor();
    await trial.getByRole('link', { name: '登录或注册' }).click();
    await page.getByRole('button', { name: /trader/ }).click();
    await page.getByRole('button', { name: /^登\s?录$/ }).click();
    // The choice came along.
    await page.getByRole('button', { name: '查看配对' }).waitFor();
    expect(page.url()).toContain(`long=${first}`);
  });
});

test.each([...new Set(PAGES.map(({ who }) => who))])('no page of a %s loads more scripts than it may', async (who) => {
  const tooHeavy: string[] = [];
  const context = await product.contextOf(who);
  for (const { name, path, budgetKb } of PAGES.filter((page) => page.who === who)) {
    // What the browser has in its cache is counted too.
    const loaded = await loadedBy(context, product.url + path);
    expect(loaded.length).toBeGreaterThan(5);
    const kb = weightOf(loaded, 'js', 'brotli');
    if (kb > budgetKb) tooHeavy.push(`${name}: ${kb.toFixed(1)} of ${budgetKb} kB by ${loaded.toSorted().join(' ')}`);
  }
  expect(tooHeavy).toEqual([]);
});

test('the scripts carry nothing of the contract that only its document tells', () => {
  const folder = path.join(ROOT, 'dist/console');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const text = scripts.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  // A short one may be a word of a screen as well.
  const told = endpoints.map(({ summary }) => summary).filter((summary) => summary.length > 16);
  expect(told.length).toBeGreaterThan(50);
  expect(told.filter((summary) => text.includes(summary))).toEqual([]);
});
