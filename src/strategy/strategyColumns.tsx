import { Button } from 'antd';
import { StrategyRow } from '#contract/strategyRow';
import type { Column } from '@/table/column';
import { wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { schemaColumns } from '@/table/schemaColumns';
import { OwnStateTags } from './StateTag';
import { STRATEGY_MODE_LABEL, STRATEGY_STATE_LABEL } from './strategyLabels';
import { NarrowHeldTags, TargetsCell, targetText } from './TargetsCell';
import { UnguardedTag } from './UnguardedTag';

/** Every figure that the contract titles. */
const FIGURES = schemaColumns(StrategyRow, { inputAt: '' });
const figure = (key: string) => FIGURES.filter((column) => column.key === key);

/** Of kinds that have no columns of their own. */
const USUAL = FIGURES.filter(({ spare }) => !spare);

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
  ...figure('switchedAt'),
  { key: 'actions', title: '操作', width: 132, fixed: 'right', render: actions },
];
