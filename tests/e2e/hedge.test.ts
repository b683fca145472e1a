import type { Page } from 'playwright-core';
import { account } from '#contract/account';
import { hedge } from '#contract/kinds/hedge/desk';
import { productOfTests } from '../support/browser';
import { runToEnd, startProgram } from '../support/serverProcess';

/** Some looks of the engine. */
const LOOKS_MS = 3_000;
const PAIR = '/strategy/hedge?long=SOLUSDT&short=ADAUSDT';

/** What opens and closes moves here as it does for most people: the other files look at it at rest. */
const product = productOfTests({ reducedMotion: 'no-preference' });

/** Reads an endpoint as the person whose page it is. */
async function read(page: Page, path: string) {
  const answer = await page.context().request.get(product.url + path);
  return { status: answer.status(), body: await answer.json() };
}

const rowsOf = (page: Page) => page.locator('section, div').filter({ hasText: '进行中' }).locator('tr[data-row-key]');

describe('a pair as one trade', () => {
  test('is configured, enabled, opened on both legs, watched, noted, closed by hand, stays closed and is found again', async () => {
    const page = await product.open('trader', PAIR);
    // Without settings a pair has no size: the settings come first, and the pair waits in sight.
    await page.getByText('你带来的一对：做多 SOLUSDT / 做空 ADAUSDT').waitFor();
    await page.getByRole('button', { name: '第一步：设置参数' }).click();
    await page.getByText('保存后接着添加做多 SOLUSDT / 做空 ADAUSDT').waitFor();
    await page.getByRole('button', { name: '检查并保存' }).click();
    await page.getByRole('button', { name: '确认保存' }).click();

    const dialog = page.getByRole('dialog', { name: '添加交易对' });
    await dialog.getByText('SOLUSDT').first().waitFor();
    // The desk is off: nothing opens, so nothing has to be held, and the dialog says so.
    await dialog.getByText(/现在不会建仓：对冲已停用/).waitFor();
    await dialog.getByRole('button', { name: '添加并建仓' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(/还没有建仓（对冲已停用）/).waitFor();

    // What it opens is named before, and has to be held.
    await page.getByRole('switch', { name: '启用对冲' }).click();
    const enabling = page.getByRole('dialog').filter({ hasText: '启用：多空对冲' });
    const named = enabling.getByRole('checkbox', { name: /SOLUSDT/ });
    await named.waitFor();
    // One that is flagged is left out unless it is chosen.
    await named.check();
    await enabling.getByRole('button', { name: /按住 1 秒：启用并开仓 1 个/ }).hover();
    await page.mouse.down();
    await enabling.waitFor({ state: 'hidden' });
    await page.mouse.up();
    const row = rowsOf(page)
      .filter({ has: page.getByRole('button', { name: /^平\s?仓$/ }) })
      .first();
    await row.getByText(/^持有$/).waitFor();

    const held = (await read(page, '/api/account')).body.data.account;
    expect(held.positions.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(['ADAUSDT', 'SOLUSDT']);
    // The market moves and the PnL with it, without a reload.
    const before = await row.textContent();
    await page.waitForFunction(
      (text) => [...document.querySelectorAll('tr[data-row-key]')].every((one) => one.textContent !== text),
      before,
    );

    await page.getByRole('button', { name: '编辑 SOLUSDT / ADAUSDT 的备注' }).first().click();
    await page.getByRole('textbox').last().fill('盯住 SOL 解锁');
    await page.keyboard.press('Enter');
    await page.getByText('盯住 SOL 解锁').first().waitFor();

    await row.getByRole('button', { name: /^平\s?仓$/ }).click();
    const confirm = page.getByRole('dialog').filter({ hasText: '平仓：' });
    await confirm.getByText('平仓后净盈亏').waitFor();
    const hold = confirm.getByRole('button', { name: /按住 1 秒/ });
    await hold.hover();
    await page.mouse.down();
    await page
      .getByText(/已平仓：/)
      .first()
      .waitFor();
    await page.mouse.up();
    // Nobody has let it open again.
    await page.getByText('已手动平仓', { exact: true }).waitFor();
    await page.waitForTimeout(LOOKS_MS);
    expect((await read(page, `${hedge.list.path}?state=running`)).body.data.total).toBe(0);
    await page.getByRole('button', { name: '重新启用' }).first().waitFor();

    await page.goto(`${product.url}/strategy/hedge?state=ended`);
    await page.getByText('盯住 SOL 解锁').first().waitFor();
    const { body } = await read(page, `${hedge.list.path}?state=ended`);
    expect(body.data.total).toBe(1);
    const [closed] = body.data.list;
    expect(closed).toMatchObject({ state: 'closed', closeReason: 'manual', long: 'SOLUSDT', short: 'ADAUSDT' });
    // The account is worth what the hedge made: nothing else happened to it.
    const { data } = (await read(page, account.state.path)).body;
    expect(data.account.positions).toEqual([]);
    expect(Number(data.account.equity)).toBeCloseTo(100_000 + closed.net, 6);
  });

  test('is nobody else’s to see or close', async () => {
    const trader = await product.open('trader', '/');
    const [own] = (await read(trader, `${hedge.list.path}?state=ended`)).body.data.list;
    const editor = await product.open('editor', `/strategy/hedge?id=${own.id}`);
    expect((await read(editor, `${hedge.detail.path}?id=${own.id}`)).status).toBe(404);
    const answer = await editor.context().request.post(`${product.url}${hedge.close.path}?id=${own.id}`, {
      headers: { origin: product.url, 'idempotency-key': 'somebody-elses-hedge' },
    });
    expect(answer.status()).toBe(404);
    await editor
      .getByText(/没有这张对冲单/)
      .first()
      .waitFor();
  });

  test('shows on the overview, in the statistics and in a clean audit', async () => {
    const trader = await product.open('trader', '/');
    await trader.getByText('总权益').first().waitFor();
    await trader.getByText(/更新于 \d\d:\d\d:\d\d/).waitFor();
    const master = await product.open('master', '/indicator/static');
    // Once a day is over the curves are above it, and it is loaded when it comes into view.
    const attribution = master.getByText('盈亏归因').first();
    for (let looks = 0; looks < 30 && !(await attribution.isVisible()); looks += 1) {
      await master.evaluate(() => window.scrollBy(0, 400));
      await master.waitForTimeout(500);
    }
    await attribution.waitFor();
    const orders = await product.open('master', '/strategy/order?tab=ended');
    await orders.getByText('SOLUSDT').first().waitFor();
    const audit = await runToEnd(startProgram('start/cli/audit.ts', [], { DATA_DIR: product.server.dataDir }, true));
    expect(audit.stdout).toContain('账本、持仓、订单与交易所一致');
    expect(audit.code).toBe(0);
  });

  test('on a phone the switch, the stops and the records are there', async () => {
    const page = await product.open('trader', '/strategy/hedge?state=ended', { viewport: { width: 390, height: 844 } });
    await page.getByText('盯住 SOL 解锁').first().waitFor();
    await page.getByRole('button', { name: '暂停开仓' }).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
});
