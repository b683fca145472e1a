import { Button, Tag, Tooltip } from 'antd';
import { TARGET_HOLDS, type TargetHold } from '#contract/lifecycle';
import { StrategyRow } from '#contract/strategyRow';
import { HoldTag, holdText } from '@/components/HoldTag';
import { LiveTag } from '@/components/LiveTag';
import { HOLD_LABEL, REARM_VERB } from '@/components/labels';
import { MoneyButton } from '@/components/MoneyButton';
import { modeLabel } from '@/services/modeLabel';
import type { Column } from '@/table/column';
import { wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { schemaColumns } from '@/table/schemaColumns';
import { confirmArm, heldTargets } from './confirmArm';
import { LIMIT_USED } from './LimitBars';
import { legText } from './legText';
import { OwnStateTags } from './StateTag';
import styles from './strategy.module.css';
import { STRATEGY_STATE_LABEL, TARGET_BLOCK_LABEL } from './strategyLabels';
import { UnguardedTag } from './UnguardedTag';

/** Every figure that the contract titles. */
const FIGURES = [...schemaColumns(StrategyRow, { inputAt: '', widths: { exposure: 100 } }), LIMIT_USED];
const figure = (...keys: string[]) => FIGURES.filter(({ key }) => keys.includes(key));

/** What a strategy of any kind is judged by beside its net. */
const RISK = ['today', 'exposure', 'limitUsed'];
/** Of kinds that have no columns of their own. */
const USUAL = FIGURES.filter(({ key, spare }) => !spare && !RISK.includes(key));

/** How the rows are shown; `look` opens the deals of one, `done` follows what was done to one, `own` stands in place of the usual figures. */
export const strategyColumns = (
  look: (row: StrategyRow) => void,
  actions: (row: StrategyRow) => React.ReactNode,
  done: () => void,
  own: readonly Column<StrategyRow>[] = USUAL,
): Column<StrategyRow>[] =>
  decidingFirst(everyColumn(look, actions, done, own), [
    ...DECIDING,
    ...(own === USUAL ? NET_OF : own.map(({ key }) => key)),
  ]);

const DECIDING = ['name', 'state', 'net', ...RISK];
/** What the net is made of, and on how much. */
const NET_OF = ['pricePnl', 'funding', 'fees', 'running', 'notional'];

const modeOf = ({ mode, single }: StrategyRow) => (single ? '单笔' : modeLabel(mode));

/** That it is of one deal, and why that was not opened. */
function SingleTag({ single: { refused } }: { single: NonNullable<StrategyRow['single']> }) {
  if (refused === null) return <Tag>单笔</Tag>;
  const text = `单笔未开：${TARGET_BLOCK_LABEL[refused]}`;
  return (
    <Tag color="warning" className={styles.cut} title={text}>
      {text}
    </Tag>
  );
}

const everyColumn = (
  look: (row: StrategyRow) => void,
  actions: (row: StrategyRow) => React.ReactNode,
  done: () => void,
  own: readonly Column<StrategyRow>[],
): Column<StrategyRow>[] => [
  {
    key: 'name',
    title: '策略',
    width: 144,
    fixed: 'left',
    render: (row) => (
      <>
        <Button type="link" size="small" className={styles.cut} title={row.name} onClick={() => look(row)}>
          {row.name}
        </Button>
        <LiveTag mode={row.mode} />
        {row.single && <SingleTag single={row.single} />}
      </>
    ),
    csv: ({ name }) => name,
  },
  {
    key: 'state',
    title: '状态',
    width: 96,
    render: (row) => (
      <>
        <OwnStateTags row={row} />
        <UnguardedTag unguarded={row.unguarded} />
        {TARGET_HOLDS.map((hold) => (
          <HeldTag key={hold} row={row} hold={hold} />
        ))}
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
  ...figure(...RISK),
  ...own,
  wordColumn<StrategyRow>('mode', '模式', 68, modeOf, { spare: true }),
  ...figure('switchedAt'),
  { key: 'actions', title: '操作', width: 132, fixed: 'right', render: actions },
];

type Target = StrategyRow['targets'][number];

/** A target in words: why it is not opened now, and how often it was. */
const targetText = ({ block, held, rounds, ...row }: Target): string => {
  const now = held ? HOLD_LABEL[held.hold] : block === null ? '等待引擎' : TARGET_BLOCK_LABEL[block];
  return `${legText(row, 'long')}：${now}，已做 ${rounds} 轮`;
};

/** That targets of a strategy wait for a person, and how many where it has several. */
function HeldTag({ row, hold }: { row: StrategyRow; hold: TargetHold }) {
  const held = heldTargets(row, hold);
  const [first] = held;
  if (!first?.held) return null;
  return <HoldTag held={first.held} count={row.targets.length > 1 ? held.length : undefined} />;
}

interface TargetsCellProps {
  row: StrategyRow;
  done: () => void;
}

/** What a strategy may open, and what of it waits for a person, with what lets that go on. */
function TargetsCell({ row, done }: TargetsCellProps) {
  const { name, targets } = row;
  const [first] = targets;
  const lines = targets.map((target) => (
    <div key={target.id}>{target.held ? `${targetText(target)}（${holdText(target.held)}）` : targetText(target)}</div>
  ));
  return (
    <div className={styles.targets}>
      <Tooltip title={lines}>
        <span>
          {targets.length} 个
          {first?.block && !first.held && <span className="soft">　{TARGET_BLOCK_LABEL[first.block]}</span>}
        </span>
      </Tooltip>
      {TARGET_HOLDS.map((hold) => {
        const held = heldTargets(row, hold);
        return held.length === 0 ? null : (
          <MoneyButton
            key={hold}
            size="small"
            aria-label={`${name} ${REARM_VERB[hold]}`}
            onClick={() => confirmArm(row, hold, done)}
          >
            {REARM_VERB[hold]}
          </MoneyButton>
        );
      })}
    </div>
  );
}
