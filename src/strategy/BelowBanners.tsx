import { Skeleton } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useHeld } from '@/flatten/useHeld';
import { isAnswered } from '@/services/useCall';
import { useStops } from './useStops';

/** Longer than this nobody waits for what does not answer. */
const PATIENCE_MS = 3_000;

interface BelowBannersProps {
  className?: string | undefined;
  /** What else has to be there. */
  isRead?: boolean;
  children: ReactNode;
}

/** What stands below banners, or below what is being read, is seen once it is known how much of that there is: nothing moves down. */
export function BelowBanners({ className, isRead = true, children }: BelowBannersProps) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isSettled = [useStops(), useHeld()].every(isAnswered) && isRead;
  const isSeen = isSettled || isLate;
  return (
    <div className={className} {...(isSeen ? {} : { style: { visibility: 'hidden', position: 'relative' } })}>
      {!isSeen && <Skeleton active style={{ position: 'absolute', visibility: 'visible' }} paragraph={{ rows: 8 }} />}
      {children}
    </div>
  );
}
