import type { ReactNode } from 'react';
import { LiveStatus } from '@/components/LiveStatus';
import { SizeBox } from './SizeBox';
import styles from './scan.module.css';

interface ScanScreenProps {
  title: string;
  /** USDT a leg; absent where no row is priced at a size. */
  size?: number;
  onSize?: (size: number) => void;
  sizeLabel?: string;
  /** The same where other assumptions leave little room. */
  sizeShort?: string;
  /** Other assumptions that hold for every row. */
  assumptions?: ReactNode;
  /** When the rows were read, UTC ms. */
  updatedAt: number | undefined;
  /** The rows keep their places while somebody points at them. */
  held: boolean;
  hands: { onPointerEnter: () => void; onPointerLeave: () => void };
  children: ReactNode;
  /** The strategies of the kind. */
  below?: ReactNode;
}

/** A market scanner: what every row assumes above, the rows below. */
export function ScanScreen(props: ScanScreenProps) {
  const { title, size, onSize, sizeLabel, sizeShort, assumptions, updatedAt, held, hands, children, below } = props;
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {size !== undefined && onSize && <SizeBox value={size} onChange={onSize} label={sizeLabel} short={sizeShort} />}
        {assumptions}
        <span className={styles.live}>
          {held && <span className="missing">排序已定住　</span>}
          <LiveStatus polledOnly polledAt={updatedAt} />
        </span>
      </header>
      <section className={styles.card} aria-label="机会" {...hands}>
        {children}
      </section>
      {below}
    </div>
  );
}
