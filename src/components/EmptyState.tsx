import { Empty } from 'antd';
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
          <h2 className="empty-title">{title}</h2>
          {description && <div className="soft">{description}</div>}
        </>
      }
    >
      {children}
    </Empty>
  );
}
