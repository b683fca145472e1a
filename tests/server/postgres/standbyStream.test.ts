import { randomUUID } from 'node:crypto';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { openStream } from '../../support/eventStream';
import { sharedTrading } from '../../support/sharedTrading';

test('a reader of the server that does not trade sees what the other one does', async () => {
  const desk = await sharedTrading();
  const { a, b, trader } = desk;
  const stream = await openStream(b.server.url, { cookie: trader.cookie, topics: 'hedge,order,account' });
  try {
    const { pairId } = await a.call(hedgeConfig.addPair, {
      body: { long: 'ETHUSDT', short: 'SOLUSDT', accepts: [...PAIR_WARNINGS] },
    });
    await a.call(hedgeConfig.enable, { body: { open: [pairId] } });
    await stream.until(() => stream.of('hedge').some(({ data }) => data.kind === 'opened'), 'the hedge opens');
    await stream.until(() => stream.of('account').length > 0, 'the account');
    const opened = stream.of('hedge').find(({ data }) => data.kind === 'opened')!.data;
    const filled = stream.of('order').filter(({ data }) => data.state === 'filled');
    expect(filled.map(({ data }) => [data.hedgeId, data.purpose])).toEqual([
      [opened.id, 'entry'],
      [opened.id, 'entry'],
    ]);

    const closed = await b.call(hedgeApi.close, { query: { id: opened.id }, key: randomUUID() });
    expect(closed.flat).toBe(true);
    await stream.until(() => stream.of('hedge').some(({ data }) => data.kind === 'closed'), 'the hedge closes');
    // Each event once, and in the order in which things happened.
    const states = stream.of('order').map(({ data }) => `${data.id} ${data.state}`);
    expect(states).toEqual([...new Set(states)]);
    const kinds = stream.of('hedge').map(({ data }) => data.kind);
    expect(kinds.indexOf('created')).toBe(0);
    expect(kinds.indexOf('closing')).toBeGreaterThan(kinds.indexOf('opened'));
    expect(kinds.at(-1)).toBe('closed');
  } finally {
    stream.close();
    await desk.close();
  }
}, 150_000);
