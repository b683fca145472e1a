import { Tooltip } from 'antd';
import type { Obstacle } from '#contract/scan';
import { OBSTACLE_LABEL } from '@/components/labels';
import styles from './scan.module.css';

/** Whether a row can be acted on now: a dot, and the first of what stands in the way; all of it is told over it. */
export function ObstacleTags({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const [first] = obstacles;
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
