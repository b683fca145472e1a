import { Empty, Typography } from 'antd';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** Why there is nothing, or what would bring something here. */
  description?: ReactNode;
  /** Buttons and links that lead on. */
  children?: ReactNode;
}

/** There is nothing to show, and that is no error. */
export function EmptyState({ title, description, children }: EmptyStateProps) {
  return (
    <Empty
      className="empty-state"
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <Typography.Title level={5}>{title}</Typography.Title>
          {description && <Typography.Text type="secondary">{description}</Typography.Text>}
        </>
      }
    >
      {children}
    </Empty>
  );
}
