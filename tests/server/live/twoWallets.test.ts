import { strategies as api } from '#contract/strategies';
import { CARRY, REAL_PATIENCE_MS, realCarry } from '../../support/realCarry';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();
const carry = await realCarry(db);
const { customer, owner, made, start, rowOf, until, stop } = carry;
const { call } = owner;

beforeAll(() => carry.open(), 2 * REAL_PATIENCE_MS);

test(
  'where spot has a wallet of its own, what it is bought for need not lie in that of contracts too',
  async () => {
    // Each wallet has what its own leg takes, and more: 3,000 for coin of 2,000, 1,100 for the margin of a leg of 2,000.
    customer.deposit('derivatives', 'USDT', -18_900);
    customer.deposit('spot', 'USDT', -17_000);
    await owner.factor(true);
    await owner.proved();
    const { targets } = (
      await call(api.preview, { body: { kind: 'fundingRate', mode: 'live', params: CARRY as object } })
    ).data;
    expect(targets[0]!.block).toBeNull();
    const { id } = await made();
    expect((await start(id)).code).toBe(200);
    await until(id, 'open');
    expect((await rowOf(id)).targets[0]?.block).toBe('open');
    await stop(id);
    await until(id, 'closed');
  },
  3 * REAL_PATIENCE_MS,
);
