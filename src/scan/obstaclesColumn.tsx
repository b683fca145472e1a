import { Tag, Tooltip } from 'antd';
import type { Obstacle } from '#contract/scan';
import { OBSTACLE_LABEL } from '@/components/labels';
import type { Column } from '@/table/column';
import { ObstacleTags } from './ObstacleTags';

const PENDING = '计算中';

/**
 * Whether a row can be acted on now, and what stands in the way.
 * @param pending why a row that is still being worked out is not judged yet; nothing for one that is worked out
 */
export const obstaclesColumn = <R extends { obstacles: Obstacle[] }>(
  pending: (row: R) => string | undefined = () => undefined,
): Column<R> => ({
  key: 'obstacles',
  title: '可行性',
  width: 136,
  render: (row) => {
    const reason = pending(row);
    if (reason === undefined) return <ObstacleTags obstacles={row.obstacles} />;
    return (
      <Tooltip title={reason}>
        <Tag>{PENDING}</Tag>
      </Tooltip>
    );
  },
  csv: (row) => (pending(row) === undefined ? row.obstacles.map((one) => OBSTACLE_LABEL[one][0]).join(' ') : PENDING),
});
