import { Tooltip } from 'antd';
import type { Obstacle } from '#contract/scan';
import { OBSTACLE_LABEL } from '@/components/labels';
import { AccountWay } from '@/strategy/AccountWays';
import { useLacking } from './accounts';
import styles from './scan.module.css';
import { venueLabel } from './venueLabel';

interface ObstacleTagsProps {
  obstacles: readonly Obstacle[];
  /** Where its legs lie. */
  sources?: readonly string[];
}

/** Whether a row can be acted on now: a dot, and the first of what stands in the way; all of it is told over it. */
export function ObstacleTags({ obstacles, sources = [] }: ObstacleTagsProps) {
  const [first] = obstacles;
  const [lacking] = useLacking(sources);
  if (first === undefined && lacking !== undefined) {
    return (
      <Tooltip title={`在 ${venueLabel(lacking)} 还没有账户，开户之后才能开仓：点这里去开户`}>
        <span className={styles.old}>
          <AccountWay source={lacking}>未开户 ›</AccountWay>
        </span>
      </Tooltip>
    );
  }
  if (first === undefined) {
    return (
      <span className={styles.young}>
        <span className={styles.dot} aria-hidden="true" />
        可开仓
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
