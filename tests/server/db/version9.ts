import { account } from '#contract/account';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { order } from '#contract/order';
import { statistic } from '#contract/statistic';
import type { testApp } from '../../support/app';
import { movingMarket } from '../../support/paperDesk';

/** The market on which the rows of version 9 were traded, as it was when that began. */
export const version9Market = () =>
  movingMarket({
    AAAUSDT: { price: 100, fundingHours: 8 },
    BBBUSDT: { price: 50, fundingHours: 8 },
    CCCUSDT: { price: 20 },
  });

/** What the API says of all that is stored of trading. */
export async function answersOf(app: Awaited<ReturnType<typeof testApp>>) {
  const [trader, master] = [app.as('trader'), app.as('master')];
  const list = await trader(hedge.list);
  const details = list.body.data!.list.map(({ id }) => trader(hedge.detail, { query: { id } }));
  const answers = await Promise.all([
    list,
    ...details,
    trader(hedgeConfig.desk),
    trader(account.state),
    trader(account.equity),
    trader(account.daily),
    master(order.list),
    master(order.fills),
    master(order.reconcile),
    master(statistic.all),
  ]);
  return answers.map(({ raw, status, body: { data } }) => ({ url: raw.raw.req.url, status, data: ofTrader(data) }));
}

/** Whoever signs in has an account by now; then the trader alone had one. */
const ofTrader = (data: object | null) =>
  data && 'accounts' in data && Array.isArray(data.accounts)
    ? { ...data, accounts: data.accounts.filter(({ user }) => user === 'trader') }
    : data;
