import { Skeleton } from 'antd';

interface WaitingProps {
  className?: string;
  /** Of what is awaited; absent: a few. */
  rows?: number;
}

/** In the place of what is on its way; antd's own says nothing to those who listen. */
export const Waiting = ({ className, rows }: WaitingProps) => (
  <div role="status" aria-label="加载中" className={className}>
    <Skeleton active {...(rows !== undefined && { paragraph: { rows } })} />
  </div>
);
