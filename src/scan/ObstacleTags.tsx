import { Tag, Tooltip } from 'antd';
import type { Obstacle } from '#contract/scan';
import { OBSTACLE_LABEL } from '@/components/labels';
import styles from './scan.module.css';

/** Why a row cannot be acted on now, or that it can. */
export function ObstacleTags({ obstacles }: { obstacles: readonly Obstacle[] }) {
  if (obstacles.length === 0) return <Tag color="success">可开仓</Tag>;
  return (
    <span className={styles.tags}>
      {obstacles.map((one) => {
        const [word, reason] = OBSTACLE_LABEL[one];
        return (
          <Tooltip key={one} title={reason}>
            <Tag color="warning">{word}</Tag>
          </Tooltip>
        );
      })}
    </span>
  );
}
