import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useHeld } from '@/flatten/useHeld';
import { useStops } from './useStops';

const isAnswered = ({ data, error }: { data?: unknown; error?: unknown }) => data !== undefined || error !== undefined;

interface BelowBannersProps {
  className?: string | undefined;
  /** What else has to be there. */
  isRead?: boolean;
  children: ReactNode;
}

/** What stands below banners is seen once it is known which of them there are: nothing that is being read moves down. */
export function BelowBanners({ className, isRead = true, children }: BelowBannersProps) {
  const isSettled = [useStops(), useHeld()].every(isAnswered) && isRead;
  return (
    <div className={className} {...(isSettled ? {} : { style: { visibility: 'hidden', position: 'relative' } })}>
      {!isSettled && (
        <Skeleton active style={{ position: 'absolute', visibility: 'visible' }} paragraph={{ rows: 8 }} />
      )}
      {children}
    </div>
  );
}
