import { Link } from '@umijs/max';
import type { RunningDeal } from '#contract/strategyOverview';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { HEDGE_STATE_LABEL, HELD_BRIEFLY } from '@/components/labels';
import { KINDS } from '@/kinds';
import { dealPath } from '@/strategy/dealPath';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';

const NO_PRICE = '没有标记价';
const NOT_OPEN = '还没有开仓';

export const symbolsOf = ({ symbols }: RunningDeal): string => symbols.join(' / ');

const badgeOf = ({ oneLegSince }: RunningDeal) => (oneLegSince === null ? null : 'oneLeg');

export const RUNNING_COLUMNS: Column<RunningDeal>[] = [
  wordColumn<RunningDeal>('symbols', '标的', 184, symbolsOf, {
    fixed: 'left',
    render: (row) => <Link to={dealPath(row.kind, row.id, row.strategyId)}>{symbolsOf(row)}</Link>,
  }),
  wordColumn<RunningDeal>('user', '用户', 76, ({ user }) => user),
  wordColumn<RunningDeal>('kind', '类型', 84, ({ kind }) => KINDS[kind].label),
  wordColumn<RunningDeal>('strategy', '策略', 104, ({ strategy }) => strategy),
  wordColumn<RunningDeal>('state', '状态', 84, ({ state }) => HEDGE_STATE_LABEL[state], {
    render: (row) => <HedgeStateTag state={row.state} frozen={row.frozen} badge={badgeOf(row)} />,
  }),
  moneyColumn<RunningDeal>('value', '名义', {
    width: 96,
    reason: NO_PRICE,
    explain: { text: '两腿现在的数量 × 标记价，USDT' },
  }),
  gainColumn<RunningDeal>('funding', '资金费', { explain: { text: 'USDT，收到为正' } }),
  gainColumn<RunningDeal>('net', '净盈亏', {
    reason: NO_PRICE,
    explain: { formula: '价格盈亏 + 资金费 − 手续费（F11），USDT' },
  }),
  percentColumn<RunningDeal>('roi', '收益率', {
    signed: true,
    reason: NO_PRICE,
    explain: { formula: '净盈亏 / 占用本金（F12）' },
  }),
  percentColumn<RunningDeal>('apr', '年化', {
    signed: true,
    reason: HELD_BRIEFLY,
    explain: { text: 'F12' },
  }),
  numberColumn<RunningDeal>('heldDays', '持有 天', { digits: 1, reason: NOT_OPEN }),
  timeColumn<RunningDeal>('openedAt', '开仓', { reason: NOT_OPEN }),
];
