import type { Obstacle } from '#contract/scan';
import { OBSTACLE_LABEL } from '@/components/labels';
import type { Column } from '@/table/column';
import { ObstacleTags } from './ObstacleTags';

/** Whether a row can be acted on now, and what stands in the way. */
export const obstaclesColumn = <R extends { obstacles: Obstacle[] }>(): Column<R> => ({
  key: 'obstacles',
  title: '能不能做',
  width: 188,
  render: (row) => <ObstacleTags obstacles={row.obstacles} />,
  csv: (row) => row.obstacles.map((one) => OBSTACLE_LABEL[one][0]).join(' '),
});
