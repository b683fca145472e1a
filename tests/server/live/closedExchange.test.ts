import { ORDER_EXCHANGES } from '#contract/candle';
import { OwnLine } from '#server/market/live/orders/ownLine';
import type { RealExchange } from '#server/market/live/orders/realExchange';
import { liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

test.each(ORDER_EXCHANGES)('what %s says of an account while it is closed is no answer of it', async (name) => {
  const { exchange: theirs, line } = await liveAccount(db, {}, name);
  const { client, exchange, signal, contractSizeOf } = await line();
  const answers: unknown[] = [];
  const own = new OwnLine({
    ...{ client, signal, contractSizeOf, exchange: exchange as RealExchange },
    ask: async (question) => {
      const answer = await question();
      answers.push(answer);
      return answer;
    },
  });
  const records = own.exchange.records(own);
  await records.holdings();
  theirs.faults.isInMaintenance = true;
  answers.length = 0;
  await expect(records.holdings()).rejects.toMatchObject({ name: 'Unanswered' });
  const check = () => own.exchange.checkKey(client, (question) => question());
  await expect(own.asked('the key', check)).rejects.toMatchObject({ name: 'Unanswered' });
  expect(answers).toEqual([]);
});
