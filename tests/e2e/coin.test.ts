import { crashesOf, productOfTests } from '../support/browser';
import { writeCandleFiles } from '../support/candleFiles';
import { runToEnd, startProgram } from '../support/serverProcess';

const product = productOfTests();
beforeAll(async () => {
  const folder = writeCandleFiles(['BTCUSDT', '我踏马来了USDT'], 60);
  await runToEnd(startProgram('start/cli/import.ts', [folder], { DATA_DIR: product.server.dataDir }, true));
});

const addressOf = (symbol: string, query = '') => `/indicator/symbol/detail/${encodeURIComponent(symbol)}${query}`;

describe('a coin', () => {
  test('shows its figures, candles and tabs without a crash', async () => {
    const page = await product.open('trader', addressOf('ETHUSDT'));
    const crashes = crashesOf(page);
    await page
      .getByRole('heading', { name: /ETHUSDT/ })
      .first()
      .waitFor();
    await page.locator('canvas').first().waitFor();
    for (const tab of ['资金费', '统计', '评价']) {
      await page.getByRole('tab', { name: new RegExp(tab) }).click();
      await page.getByRole('tabpanel').first().waitFor();
    }
    expect(crashes).toEqual([]);
  });

  test('keeps the bar in the address, over reload and back', async () => {
    const page = await product.open('trader', addressOf('ETHUSDT'));
    await page.locator('canvas').first().waitFor();
    await page.getByText('4 小时', { exact: true }).click();
    await page.waitForURL(/bar=4h/);
    await page.reload();
    await page.locator('canvas').first().waitFor();
    expect(page.url()).toContain('bar=4h');
  });

  test('goes to its neighbour and back', async () => {
    const page = await product.open('trader', addressOf('ETHUSDT'));
    await page.locator('canvas').first().waitFor();
    await page
      .getByRole('link', { name: /下一个/ })
      .or(page.getByRole('button', { name: /下一个/ }))
      .first()
      .click();
    await page.waitForURL((url) => !url.pathname.includes('ETHUSDT'));
    await page.goBack();
    await page
      .getByRole('heading', { name: /ETHUSDT/ })
      .first()
      .waitFor();
  });

  test('a Chinese name survives the address', async () => {
    const page = await product.open('trader', addressOf('我踏马来了USDT', '?source=okx'));
    await page
      .getByRole('heading', { name: /我踏马来了USDT/ })
      .first()
      .waitFor();
    await page.reload();
    await page
      .getByRole('heading', { name: /我踏马来了USDT/ })
      .first()
      .waitFor();
  });

  test('is reached by the keyboard alone from any screen, and so is another screen from it', async () => {
    const page = await product.open('trader', '/user/apiKey');
    await page.getByRole('button', { name: '搜索（Ctrl K）' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: '搜索' }).waitFor();
    await page.keyboard.type('eth');
    await page.locator('.ant-select-item-option-active', { hasText: 'ETHUSDT' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === addressOf('ETHUSDT'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL((url) => url.pathname === '/indicator/hedge');
  });

  test.each(['BTC/USDT:USDT', 'A%2FB', 'NO.SUCH.COIN'])(
    '%s, which no source has, gives an empty state with a search',
    async (symbol) => {
      const page = await product.open('trader', addressOf(symbol));
      await page.getByText(symbol, { exact: false }).first().waitFor();
      await page.getByRole('combobox').first().waitFor();
    },
  );
});
