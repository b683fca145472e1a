import type { Page } from 'playwright-core';
import { fundingScan } from '#contract/fundingScan';
import { strategies } from '#contract/strategies';
import { productOfTests } from '../support/browser';

const product = productOfTests();

async function hold(page: Page, name: RegExp): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name });
  await button.hover();
  await page.mouse.down();
  await page.waitForTimeout(1300);
  await page.mouse.up();
}

/** Coin that can be carried now, at the venue of everybody's first account. */
async function coinToCarry(page: Page): Promise<string> {
  const query = 'source=simulated&direction=carry&sort=-netApr&pageSize=50&size=1000';
  const answer = await page.request.get(`${product.url}${fundingScan.list.path}?${query}`);
  const { list } = (await answer.json()).data as {
    list: { base: string; obstacles: string[]; netApr: number | null }[];
  };
  return list.find(({ obstacles, netApr }) => obstacles.length === 0 && (netApr ?? 0) > 0.2)!.base;
}

test('from a row of the scanner to a carry that is open, closed, and adds up', async () => {
  const page = await product.open('master', '/');
  const coin = await coinToCarry(page);
  await page.goto(`${product.url}/strategy/fundingRate?size=1000&source=simulated&search=${coin}`);
  await page
    .getByRole('button', { name: `用 simulated ${coin} 建策略`, exact: true })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: '新建策略' });
  await drawer.getByRole('spinbutton', { name: 'TWAP 份数' }).fill('2');
  await drawer.getByRole('spinbutton', { name: 'TWAP 间隔' }).fill('5');
  await drawer.getByRole('button', { name: /^试\s?算$/ }).click();
  await drawer.getByText('会开仓').waitFor();
  await drawer.getByRole('button', { name: /^保\s?存$/ }).click();
  const own = page.getByRole('region', { name: '策略' });
  await own.getByRole('button', { name: /^启\s?动$/ }).click();
  await hold(page, /启动/);
  const deals = page.getByRole('region', { name: '交易单' });
  await deals.getByText('持有', { exact: true }).waitFor({ timeout: 60_000 });
  // It goes on when nobody looks, and is there after a reload.
  await page.reload();
  await own.getByRole('button', { name: /^暂\s?停$/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /暂\s?停/ })
    .click();
  await own.getByText('暂停', { exact: true }).first().waitFor();
  await deals.getByRole('button', { name: /^平\s?仓$/ }).click();
  await hold(page, /平仓/);
  await deals.getByText(/^已平仓：/).waitFor({ timeout: 60_000 });

  const answer = await page.request.get(`${product.url}${strategies.list.path}?kind=fundingRate`);
  const [{ pricePnl, funding, fees, net }] = (await answer.json()).data.list;
  expect(fees).toBeGreaterThan(0);
  expect(net).toBeCloseTo(pricePnl + funding - fees, 8);
});
