import { Button, Tooltip } from 'antd';
import { TARGET_HOLDS, type TargetHold } from '#contract/lifecycle';
import type { StrategyRow } from '#contract/strategyRow';
import { HoldTag, holdText } from '@/components/HoldTag';
import { HOLD_LABEL, REARM_VERB } from '@/components/labels';
import { useNarrow } from '@/components/useNarrow';
import { confirmArm, heldTargets } from './confirmArm';
import { legText } from './legText';
import styles from './strategy.module.css';
import { TARGET_BLOCK_LABEL } from './strategyLabels';

type Target = StrategyRow['targets'][number];

/** A target in words: why it is not opened now, and how often it was. */
export const targetText = ({ block, held, rounds, ...row }: Target): string => {
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

/** The same below its name on a phone, where its targets are out of sight. */
export function NarrowHeldTags({ row }: { row: StrategyRow }) {
  const narrow = useNarrow();
  return narrow ? TARGET_HOLDS.map((hold) => <HeldTag key={hold} row={row} hold={hold} />) : null;
}

interface TargetsCellProps {
  row: StrategyRow;
  done: () => void;
}

/** What a strategy may open, and what of it waits for a person, with what lets that go on. */
export function TargetsCell({ row, done }: TargetsCellProps) {
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
          <span key={hold} className={styles.heldTargets}>
            <HeldTag row={row} hold={hold} />
            <Button
              size="small"
              aria-label={`${name} ${REARM_VERB[hold]}`}
              onClick={() => confirmArm(name, hold, held, done)}
            >
              {REARM_VERB[hold]}
            </Button>
          </span>
        );
      })}
    </div>
  );
}
