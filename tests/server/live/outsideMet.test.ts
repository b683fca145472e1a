import Big from 'big.js';
import { account } from '#contract/account';
import { opening } from '#contract/opening';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { answered, CARRY, PERPETUAL, REAL_PATIENCE_MS, realCarry } from '../../support/realCarry';
import { fileDatabase } from '../../support/testDatabase';

const carry = await realCarry(await fileDatabase());
const { exchange, customer, owner, made } = carry;
const { call } = owner;

/** What somebody does on the same account at the exchange itself. */
const byHand = (side: 'buy' | 'sell', quantity: string) =>
  exchange.trading.place(customer, {
    ...{ symbol: PERPETUAL, wallet: 'derivatives', clientId: `web_${side}`, side, type: 'market' },
    ...{ timeInForce: 'IOC', price: null, quantity: new Big(quantity), reduceOnly: false },
  });
/** What a dry run tells of the position that the short leg would meet. */
const tried = async (mode: 'paper' | 'live') =>
  (await call(api.preview, { body: { kind: 'fundingRate', mode, params: CARRY as object } })).data.targets[0]!.outside;

beforeAll(() => carry.open(), 2 * REAL_PATIENCE_MS);

test(
  'a position by hand that a real leg would meet is told before it is opened',
  async () => {
    await owner.factor(true);
    await owner.proved();
    const { id } = await made();
    const { targets } = (await call(api.list)).data.list.find((one) => one.id === id)!;
    const started = async () => {
      const body = { act: 'start' as const, input: { id, open: targets.map((target) => target.id) } };
      return (await call(opening.preview, { body })).data.due.map(({ outside }) => outside);
    };
    expect(await tried('live')).toBeUndefined();
    expect(await started()).toEqual([undefined]);
    byHand('buy', '0.002');
    await answered('it is told', async () => (await tried('live')) !== undefined);
    expect(await tried('live')).toEqual([{ symbol: PERPETUAL, quantity: '0.002' }]);
    expect(await tried('paper')).toBeUndefined();
    expect(await started()).toEqual([[{ symbol: PERPETUAL, quantity: '0.002' }]]);
    // Of the leg's own side it stands beside it.
    byHand('sell', '0.004');
    await answered('it is told no more', async () => (await tried('live')) === undefined);
    expect(await started()).toEqual([undefined]);
  },
  3 * REAL_PATIENCE_MS,
);

test(
  'where a position would be liquidated goes by the brackets that the exchange tells its account',
  async () => {
    // A stand-in of less leverage takes far more maintenance than turnovers let expect.
    const listed = exchange.market.listed.bind(exchange.market);
    exchange.market.listed = (symbol, at) => {
      const one = listed(symbol, at);
      return one && { ...one, instrument: { ...one.instrument, maxLeverage: 5 } };
    };
    await carry.restart({ LIVE_MAX_NOTIONAL: '5000' });
    const accountId = (await call(venueAccount.list)).data.list.find(({ mode }) => mode === 'live')!.id;
    byHand('sell', '0.004');
    const own = customer.positions.get(PERPETUAL)!;
    await answered('it is told', async () => {
      const { positions } = (await call(account.state, { query: { accountId } })).data.account!;
      const told = Number(positions?.find(({ symbol }) => symbol === PERPETUAL)?.liquidationPrice ?? 0);
      const due = Number(exchange.trading.liquidationPrice(customer, own));
      return Math.abs(told / due - 1) < 0.02;
    });
  },
  3 * REAL_PATIENCE_MS,
);
