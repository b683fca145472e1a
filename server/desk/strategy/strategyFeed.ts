import Big from 'big.js';
import type { HedgeEventKind } from '#contract/lifecycle';
import { FEED_LENGTH, type FeedKind, type FeedRow, type FeedSeverity } from '#contract/strategyOverview';
import type { Queries } from '../../base/db/client';
import { feedEvents, feedFundings, type StrategyEventKind } from '../../base/db/strategies/strategyGuard';
import { dealName, detailWords } from './dealWords';

interface Words {
  kind: FeedKind;
  severity: FeedSeverity;
  title: string;
}

/** What of the record of deals is told here. */
const OF_DEALS: Partial<Record<HedgeEventKind, Words>> = {
  opened: { kind: 'entry', severity: 'info', title: '开仓' },
  closed: { kind: 'exit', severity: 'info', title: '平仓' },
  failed: { kind: 'exit', severity: 'warning', title: '开仓未完成' },
  delivered: { kind: 'exit', severity: 'info', title: '到期交割' },
  rolled: { kind: 'entry', severity: 'info', title: '移仓' },
  limits: { kind: 'config', severity: 'info', title: '修改止损止盈' },
  oneLeg: { kind: 'trouble', severity: 'warning', title: '裸腿' },
  unwinding: { kind: 'trouble', severity: 'warning', title: '单腿退回' },
  refused: { kind: 'trouble', severity: 'warning', title: '委托被拒' },
  inDoubt: { kind: 'trouble', severity: 'warning', title: '委托结果不明' },
  lost: { kind: 'trouble', severity: 'warning', title: '委托没有到达交易所' },
  delisted: { kind: 'trouble', severity: 'warning', title: '合约下架' },
  frozen: { kind: 'trouble', severity: 'error', title: '冻结' },
  thawed: { kind: 'trouble', severity: 'info', title: '恢复' },
  governed: { kind: 'trouble', severity: 'error', title: '委托被风控拦截' },
  liquidated: { kind: 'trouble', severity: 'error', title: '强平' },
  deleveraged: { kind: 'trouble', severity: 'error', title: '自动减仓（ADL）' },
};

const OF_STRATEGIES: Record<StrategyEventKind, Words> = {
  config: { kind: 'config', severity: 'info', title: '修改参数' },
  switched: { kind: 'config', severity: 'info', title: '启停' },
  limits: { kind: 'config', severity: 'info', title: '修改限额' },
  tripped: { kind: 'breaker', severity: 'error', title: '熔断' },
  resumed: { kind: 'breaker', severity: 'warning', title: '熔断后恢复' },
};

const FUNDING = { kind: 'funding', severity: 'info' } as const;
/** Of a sum of fundings, USDT. */
const PLACES = 4;

const isChosen = (words: Omit<Words, 'title'>, { kind, severity }: Choice): boolean =>
  (kind === undefined || words.kind === kind) && (severity === undefined || words.severity === severity);

const kindsOf = <K extends string>(words: Partial<Record<K, Words>>, choice: Choice): K[] =>
  (Object.keys(words) as K[]).filter((kind) => isChosen(words[kind]!, choice));

const textOf = (...parts: (string | null)[]): string => parts.filter((part) => part !== null && part !== '').join('，');

interface Choice {
  id?: string;
  kind?: FeedKind;
  severity?: FeedSeverity;
}

/** What each settlement brought a strategy, all of its deals together. */
async function fundings(db: Queries, id: string | undefined): Promise<FeedRow[]> {
  const settled = await feedFundings(db, id, FEED_LENGTH);
  return settled.map(({ payments, amount, ...rest }) => {
    const brought = new Big(amount ?? 0);
    const sign = brought.gt(0) ? '+' : '';
    const text = `资金费 ${payments} 笔，${sign}${brought.toFixed(PLACES)} USDT`;
    return { ...rest, ...FUNDING, id: `funding:${rest.strategyId}:${rest.at}`, text };
  });
}

/** The newest of what happened to strategies and their deals, as far as it is chosen. */
export async function strategyFeed(db: Queries, choice: Choice): Promise<FeedRow[]> {
  const { id } = choice;
  const dealKinds = kindsOf<HedgeEventKind>(OF_DEALS, choice);
  const strategyKinds = kindsOf<StrategyEventKind>(OF_STRATEGIES, choice);
  const { ofDeals, ofStrategies } = await feedEvents(db, { id, dealKinds, strategyKinds }, FEED_LENGTH);
  const rows = [
    ...(isChosen(FUNDING, choice) ? await fundings(db, id) : []),
    ...ofDeals.map(({ id, kind, detail, places, ...rest }): FeedRow => {
      const { title, ...words } = OF_DEALS[kind]!;
      return {
        ...rest,
        ...words,
        id: `deal:${id}`,
        text: textOf(`${title} ${dealName(places)}`, detailWords(kind, detail)),
      };
    }),
    ...ofStrategies.map(({ id, kind, detail, by, ...rest }): FeedRow => {
      const { title, ...words } = OF_STRATEGIES[kind];
      return { ...rest, ...words, id: `strategy:${id}`, text: textOf(title, detail, by) };
    }),
  ];
  return rows.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, FEED_LENGTH);
}
