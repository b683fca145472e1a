import { Button } from 'antd';
import type { StrategyRow } from '#contract/strategies';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, timeColumn, wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { OwnStateTags } from './StateTag';
import { STRATEGY_MODE_LABEL, STRATEGY_STATE_LABEL } from './strategyLabels';
import { NarrowHeldTags, TargetsCell, targetText } from './TargetsCell';
import { UnguardedTag } from './UnguardedTag';

const NO_PRICE = '持有的标的没有价格';

/** Of kinds that have no columns of their own. */
const USUAL: readonly Column<StrategyRow>[] = [
  numberColumn<StrategyRow>('running', '持有', { digits: 0, width: 68 }),
  numberColumn<StrategyRow>('ended', '已结束', { digits: 0, width: 76 }),
  moneyColumn<StrategyRow>('notional', '名义', { reason: NO_PRICE }),
  gainColumn<StrategyRow>('pricePnl', '价格盈亏', { reason: NO_PRICE }),
  gainColumn<StrategyRow>('funding', '资金费'),
  numberColumn<StrategyRow>('fees', '手续费', { digits: 2 }),
  gainColumn<StrategyRow>('net', '净盈亏', {
    reason: NO_PRICE,
    explain: { formula: '价格盈亏 + 资金费 − 手续费', text: 'USDT，自创建以来' },
  }),
];

/** How the rows are shown; `look` opens the deals of one, `done` follows what was done to one, `own` stands in place of the usual figures. */
export const strategyColumns = (
  look: (row: StrategyRow) => void,
  actions: (row: StrategyRow) => React.ReactNode,
  done: () => void,
  own: readonly Column<StrategyRow>[] = USUAL,
): Column<StrategyRow>[] => decidingFirst(everyColumn(look, actions, done, own), ['name', 'state', 'net']);

const everyColumn = (
  look: (row: StrategyRow) => void,
  actions: (row: StrategyRow) => React.ReactNode,
  done: () => void,
  own: readonly Column<StrategyRow>[],
): Column<StrategyRow>[] => [
  {
    key: 'name',
    title: '策略',
    width: 150,
    fixed: 'left',
    render: (row) => (
      <>
        <Button type="link" size="small" onClick={() => look(row)}>
          {row.name}
        </Button>
        <NarrowHeldTags row={row} />
      </>
    ),
    csv: ({ name }) => name,
  },
  {
    key: 'state',
    title: '状态',
    width: 84,
    render: (row) => (
      <>
        <OwnStateTags row={row} />
        <UnguardedTag unguarded={row.unguarded} />
      </>
    ),
    csv: ({ state }) => STRATEGY_STATE_LABEL[state],
  },
  {
    key: 'targets',
    title: '标的',
    width: 210,
    render: (row) => <TargetsCell row={row} done={done} />,
    csv: ({ targets }) => targets.map(targetText).join('；'),
  },
  ...own,
  wordColumn<StrategyRow>('mode', '模式', 68, ({ mode }) => STRATEGY_MODE_LABEL[mode], { spare: true }),
  timeColumn<StrategyRow>('switchedAt', '启停', { spare: true, reason: '还没有启动过' }),
  { key: 'actions', title: '操作', width: 132, fixed: 'right', render: actions },
];
