import type { HedgeEventKind } from '#contract/lifecycle';
import { FEED_LENGTH, type FeedKind, type FeedRow, type FeedSeverity } from '#contract/strategyOverview';
import type { Queries } from '../db/client';
import { feedEvents, type StrategyEventKind } from '../db/strategyGuard';
import { detailWords } from '../notification/dealWords';

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
  funding: { kind: 'funding', severity: 'info', title: '资金费' },
  oneLeg: { kind: 'trouble', severity: 'warning', title: '裸腿' },
  unwinding: { kind: 'trouble', severity: 'warning', title: '单腿回退' },
  refused: { kind: 'trouble', severity: 'warning', title: '委托被拒' },
  inDoubt: { kind: 'trouble', severity: 'warning', title: '委托结果不明' },
  lost: { kind: 'trouble', severity: 'warning', title: '委托没有到达交易所' },
  delisted: { kind: 'trouble', severity: 'warning', title: '合约下架' },
  frozen: { kind: 'trouble', severity: 'error', title: '冻结' },
  governed: { kind: 'trouble', severity: 'error', title: '委托被风控拦截' },
  liquidated: { kind: 'trouble', severity: 'error', title: '强平' },
};

const OF_STRATEGIES: Record<StrategyEventKind, Words> = {
  config: { kind: 'config', severity: 'info', title: '修改参数' },
  switched: { kind: 'config', severity: 'info', title: '启停' },
  limits: { kind: 'config', severity: 'info', title: '修改限额' },
  tripped: { kind: 'breaker', severity: 'error', title: '熔断' },
  resumed: { kind: 'breaker', severity: 'warning', title: '熔断后恢复' },
};

const kindsOf = <K extends string>(words: Partial<Record<K, Words>>, severity: FeedSeverity | undefined): K[] =>
  (Object.keys(words) as K[]).filter((kind) => severity === undefined || words[kind]?.severity === severity);

const textOf = (...parts: (string | null)[]): string => parts.filter((part) => part !== null && part !== '').join('，');

interface Choice {
  id?: string;
  severity?: FeedSeverity;
}

/** The newest of what happened to strategies and their deals, of one strategy and one severity where they are given. */
export async function strategyFeed(db: Queries, { id, severity }: Choice): Promise<FeedRow[]> {
  const dealKinds = kindsOf<HedgeEventKind>(OF_DEALS, severity);
  const strategyKinds = kindsOf<StrategyEventKind>(OF_STRATEGIES, severity);
  const { ofDeals, ofStrategies } = await feedEvents(db, { id, dealKinds, strategyKinds }, FEED_LENGTH);
  const rows = [
    ...ofDeals.map(({ id, kind, detail, symbols, ...rest }): FeedRow => {
      const { title, ...words } = OF_DEALS[kind]!;
      return { ...rest, ...words, id: `deal:${id}`, text: textOf(`${title} ${symbols}`, detailWords(kind, detail)) };
    }),
    ...ofStrategies.map(({ id, kind, detail, by, ...rest }): FeedRow => {
      const { title, ...words } = OF_STRATEGIES[kind];
      return { ...rest, ...words, id: `strategy:${id}`, text: textOf(title, detail, by) };
    }),
  ];
  return rows.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, FEED_LENGTH);
}
