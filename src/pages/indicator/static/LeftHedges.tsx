import { Link } from '@umijs/max';
import { Tag, Tooltip } from 'antd';
import type { Comparison } from '#contract/statistic';
import { DateTime } from '@/components/DateTime';
import { NOT_COMPARED_LABEL, NOT_COMPARED_TAG } from '@/components/labels';
import styles from './index.module.css';

/** The hedges that are left out of the gap, each with its mark. */
export function LeftHedges({ left }: Pick<Comparison, 'left'>) {
  if (left.length === 0) return null;
  return (
    <details>
      <summary>不计入的 {left.length} 单</summary>
      <ul className={styles.left}>
        {left.map(({ id, user, long, short, closedAt, why }) => (
          <li key={id}>
            <Link to={`/strategy/hedge?id=${encodeURIComponent(id)}`}>
              {long} / {short}
            </Link>{' '}
            {user}，<DateTime value={closedAt} /> 平仓{' '}
            <Tooltip title={NOT_COMPARED_LABEL[why]}>
              <Tag>{NOT_COMPARED_TAG[why]}</Tag>
            </Tooltip>
          </li>
        ))}
      </ul>
    </details>
  );
}
