import { Card, Skeleton } from 'antd';
import { type ReactNode, Suspense } from 'react';
import { useNarrow } from './useNarrow';
import { WhenSeen } from './WhenSeen';

interface LateCardProps {
  /** Of what is not loaded yet, px. */
  height: number;
  /** The same on a phone, where it is another. */
  onPhone?: number;
  ahead?: number;
  children: ReactNode;
}

/** Padding and border of a card, px. */
const AROUND = 26;

/** A card of a screen whose code is loaded when it comes near; its room is kept until then. */
export function LateCard({ height: usual, onPhone = usual, ahead, children }: LateCardProps) {
  const height = useNarrow() ? onPhone : usual;
  return (
    <WhenSeen height={height} ahead={ahead}>
      <Suspense
        fallback={
          <Card size="small">
            <Skeleton.Node active style={{ width: '100%', height: height - AROUND }} />
          </Card>
        }
      >
        {children}
      </Suspense>
    </WhenSeen>
  );
}
