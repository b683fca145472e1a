import { act, screen, waitFor, within } from '@testing-library/react';
import { Modal } from 'antd';
import { hedge } from '#contract/hedge';
import { hedgeConfig } from '#contract/hedgeConfig';
import { type PairFacts, pair } from '#contract/pair';
import { button, dialogOf, lineOf, open, person, written } from '../support/hedgeActs';
import { AT, deskAnswers, deskOf, listOf, NEW_DESK, pairOf } from '../support/hedgeFixtures';
import { answers, place, refuses, sent, toasts } from '../support/webConsole';

// A full screen of tables on a busy machine.
jest.setTimeout(60_000);

beforeEach(deskAnswers);
afterEach(() => act(async () => Modal.destroyAll()));

describe('a new pair', () => {
  const FACTS: PairFacts = {
    source: 'simulated',
    bar: '1h',
    commonBars: ['1d', '1h'],
    long: ['LTCUSDT'],
    short: ['DOGEUSDT'],
    bars: 240,
    formingAt: null,
    time: [AT],
    ratio: [1.125],
    spread: [0],
    z: [-2.5],
    correlation: 0.91,
    betaLong: 1,
    betaShort: 1,
    hedgeRatio: 1,
    rSquared: 0.5,
    currentZ: -1.9,
    presentZ: -2.5,
    presentRatio: 0.000031415,
    warnings: [],
    mean: 0,
    sd: 1,
    halfLife: 18,
    adfP: 0.01,
    fundingAprDifference: null,
    return30: null,
    return90: null,
  };

  beforeEach(() => {
    answers(pair.facts, { ...FACTS, warnings: ['hedgeRatio', 'fit'] });
    answers(hedge.list, listOf([]));
  });

  // The first test waits for the whole console to be compiled.
  test('comes along with the address, shows what is known of it and is added', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new' });
    open('/strategy/hedge?source=simulated&long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    const facts = await within(dialog).findByLabelText('配对指标');
    expect(facts).toHaveTextContent('-2.50');
    // A cheap coin over a dear one keeps its digits.
    expect(facts).toHaveTextContent('0.000031415');
    expect(facts).toHaveTextContent('18.0 h');
    expect(facts).toHaveTextContent('240 根 1h，b 1.000');
    expect(facts).toHaveTextContent('关系不可靠：b ≤ 0、R² < 0.2');
    await person.click(button(dialog, /^添\s?加$/));
    await waitFor(() => expect(written()[0]?.body).toEqual({ long: 'LTCUSDT', short: 'ADAUSDT' }));
    await waitFor(() => expect(place()).toBe('/strategy/hedge'));
  });

  test('asks before it is the reverse of another, and refuses a repetition by itself', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new' });
    const view = open('/strategy/hedge?long=LTCUSDT&short=DOGEUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(await within(dialog).findByText(/已有方向相反的交易对/)).toBeInTheDocument();
    await person.click(button(dialog, '仍然添加'));
    await waitFor(() =>
      expect(written()[0]?.body).toEqual({ long: 'LTCUSDT', short: 'DOGEUSDT', confirmReversed: true }),
    );
    view.unmount();
    open('/strategy/hedge?long=DOGEUSDT&short=LTCUSDT');
    const again = await dialogOf('添加交易对');
    await person.click(button(again, /^添\s?加$/));
    expect(await within(again).findByText('已有这个交易对')).toBeInTheDocument();
    expect(written()).toHaveLength(1);
  });

  test('shows what the server refuses at the side at fault', async () => {
    const message = '该币种已停止交易或没有最新价格：LTCUSDT';
    refuses(hedgeConfig.addPair, { code: 5014, message, data: { fields: [{ field: 'long', message }] } });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    await person.click(button(dialog, /^添\s?加$/));
    const shown = await within(dialog).findByText(message);
    expect(shown.closest('.ant-form-item-explain')).not.toBeNull();
    await waitFor(() => expect(toasts()).toEqual([message]));
  });

  test('finds the coin that was typed before those that only contain its name', async () => {
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    const box = within(dialog).getByLabelText('多头', { selector: 'input' });
    await person.click(box);
    await person.type(box, 'eth');
    const found = await screen.findAllByTitle(/^ETH/);
    expect(found.map((option) => option.title)).toEqual(['ETHUSDT', 'ETHFIUSDT']);
  });

  test('says that a basket cannot be hedged and offers its coins', async () => {
    open('/strategy/hedge?long=LTCUSDT,SOLUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(within(dialog).getByText(/多头是一篮子币种：对冲的每一边只能是一个币种/)).toBeInTheDocument();
    await person.click(button(dialog, 'SOLUSDT'));
    expect(await within(dialog).findByLabelText('配对指标')).toBeInTheDocument();
    expect(sent.find(({ path }) => path === pair.facts.path)!.query.get('long')).toBe('SOLUSDT');
  });

  test('stands in the list with what its z was measured against and what speaks against it', async () => {
    answers(hedgeConfig.desk, deskOf({ pairs: [pairOf('ETHUSDT', 'BTCUSDT', { warnings: ['againstZ'] })] }));
    open();
    const line = await lineOf('可以开仓');
    expect(line).toHaveTextContent('逆 z：z > 0 仍做多价差');
    expect(line).toHaveTextContent('240 根 1h，b 0.875');
  });

  test('waits for the settings when there are none', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedge.list, listOf([]));
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    expect(await screen.findByText(/首次保存会开立一个模拟账户/)).toBeInTheDocument();
    expect(screen.queryByText('添加交易对')).not.toBeInTheDocument();
  });

  test('is removed, and opened once more, after asking; not while it is held', async () => {
    answers(
      hedgeConfig.desk,
      deskOf({ pairs: [pairOf('ETHUSDT', 'BTCUSDT', { block: 'used' }), ...deskOf().pairs.slice(0, 1)] }),
    );
    answers(hedgeConfig.removePair, { pairId: 'x' });
    answers(hedgeConfig.armPair, { pairId: 'x' });
    open();
    const held = await lineOf('持有中');
    expect(button(held, /^移\s?除$/)).toBeDisabled();
    expect(button(held, '再开一次')).toBeDisabled();
    const line = await lineOf('已开过一次');
    await person.click(button(line, '再开一次'));
    await person.click(button(await dialogOf('再开一次：多 ETHUSDT / 空 BTCUSDT'), '再开一次'));
    await waitFor(() => expect(written()).toHaveLength(1));
    await person.click(button(line, /^移\s?除$/));
    await person.click(button(await dialogOf('移除：多 ETHUSDT / 空 BTCUSDT'), /^移\s?除$/));
    await waitFor(() => expect(written()).toHaveLength(2));
    expect(written().map(({ method, body }) => [method, body])).toEqual([
      ['POST', { pairId: 'pair-ETHUSDT-BTCUSDT' }],
      ['DELETE', { pairId: 'pair-ETHUSDT-BTCUSDT' }],
    ]);
  });
});
