import { readFileSync } from 'node:fs';
import { settle } from '../support/audit';
import { productOfTests } from '../support/browser';

const product = productOfTests();

const RUN = '/test/hedge?long=SOLUSDT&short=ADAUSDT';

describe('the backtest', () => {
  test('a shared address runs at once and shows the same result after a reload', async () => {
    const page = await product.open('trader', RUN);
    const net = page.getByLabel('收益', { exact: false }).locator('dd').first();
    await net.waitFor();
    const before = await net.textContent();
    expect(before).toMatch(/\d/);
    // The charts lie below the fold and are drawn when scrolled to.
    await page.getByText('损益拆分').scrollIntoViewIfNeeded();
    await page.locator('canvas').first().waitFor();
    await page.reload();
    await net.waitFor();
    expect(await net.textContent()).toBe(before);
  });

  test('the swap button turns the pair around', async () => {
    const page = await product.open('trader', RUN);
    await page.getByText('损益拆分').waitFor();
    await page.getByRole('button', { name: '交换多头与空头' }).click();
    await page.getByRole('button', { name: '运行回测' }).click();
    await page.waitForURL(/long=ADAUSDT/);
    expect(page.url()).toContain('short=SOLUSDT');
  });

  test('refusals name the field and leave the form as it was', async () => {
    const page = await product.open('trader', '/test/hedge?long=NOSUCHUSDT&short=ADAUSDT');
    await page
      .getByText(/没有这些币种.*NOSUCHUSDT/)
      .first()
      .waitFor();
    await page.getByText('NOSUCHUSDT', { exact: true }).first().waitFor();
    await page.goto(`${product.url}/test/hedge?long=ADAUSDT&short=ADAUSDT`);
    await page
      .getByText(/不能同时做多和做空/)
      .first()
      .waitFor();
  });

  test('curve and trades come as CSV', async () => {
    const page = await product.open('trader', RUN);
    await page.getByText('损益拆分').waitFor();
    await settle(page);
    const buttons = page.getByRole('button', { name: /CSV/ });
    // The curve, the one hedge, and its legs.
    expect(await buttons.count()).toBe(3);
    for (const [at, lines] of [3, 2, 3].entries()) {
      const [download] = await Promise.all([page.waitForEvent('download'), buttons.nth(at).click()]);
      const text = readFileSync(await download.path(), 'utf8');
      expect(text.charCodeAt(0)).toBe(0xfeff);
      expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(lines);
    }
  });

  test('a visitor is asked to sign in and comes back to the same run', async () => {
    const page = await product.open('visitor', RUN);
    await page.waitForURL(/\/login\?callback=/);
    await page.getByRole('button', { name: /trader/ }).click();
    await page.getByRole('button', { name: /^登\s?录$/ }).click();
    await page.waitForURL(/\/test\/hedge\?.*long=SOLUSDT/);
    await page.getByText('损益拆分').waitFor();
  });

  test('fits a phone: nothing sticks out of the page', async () => {
    const page = await product.open('trader', RUN, { viewport: { width: 390, height: 844 } });
    await page.getByText('损益拆分').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
