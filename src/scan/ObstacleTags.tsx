import { Link } from '@umijs/max';
import { Tooltip } from 'antd';
import type { Obstacle } from '#contract/scan';
import { OBSTACLE_LABEL } from '@/components/labels';
import { openingPath } from '@/strategy/AccountWays';
import styles from './scan.module.css';
import { venueLabel } from './venueLabel';

interface ObstacleTagsProps {
  obstacles: readonly Obstacle[];
  /** Where of its places the reader has no account yet. */
  lacking?: string | undefined;
}

const NO_ACCOUNT = '未开户';
const FEASIBLE = '可开仓';

/** What stands in the way, in words; nothing where it can be acted on. */
export const obstacleWords = ({ obstacles, lacking }: ObstacleTagsProps): string[] =>
  obstacles.length === 0 && lacking !== undefined ? [NO_ACCOUNT] : obstacles.map((one) => OBSTACLE_LABEL[one][0]);

/** The same with what is said where nothing does. */
export function feasibilityWords(row: ObstacleTagsProps): string[] {
  const words = obstacleWords(row);
  return words.length === 0 ? [FEASIBLE] : words;
}

/** Whether a row can be acted on now: a dot, and the first of what stands in the way; all of it is told over it. */
export function ObstacleTags({ obstacles, lacking }: ObstacleTagsProps) {
  const [first] = obstacles;
  if (first === undefined && lacking !== undefined) {
    return (
      <Tooltip title={`在 ${venueLabel(lacking)} 还没有账户，开户之后才能开仓：点这里去开户`}>
        <span className={styles.old}>
          <Link to={openingPath(lacking)}>{NO_ACCOUNT} ›</Link>
        </span>
      </Tooltip>
    );
  }
  if (first === undefined) {
    return (
      <span className={styles.young}>
        <span className={styles.dot} aria-hidden="true" />
        {FEASIBLE}
      </span>
    );
  }
  const reasons = obstacles.map((one) => OBSTACLE_LABEL[one].join('：')).join('；');
  return (
    <Tooltip title={reasons}>
      <span className={styles.old}>
        <span aria-hidden="true">▲</span>
        <span>{OBSTACLE_LABEL[first][0]}</span>
        {obstacles.length > 1 && <span className="soft">+{obstacles.length - 1}</span>}
      </span>
    </Tooltip>
  );
}
