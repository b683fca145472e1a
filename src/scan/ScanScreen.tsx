import type { ReactNode } from 'react';
import type { StrategyKind } from '#contract/strategy';
import { LiveStatus } from '@/components/LiveStatus';
import { KINDS } from '@/kinds';
import { StopBanners } from '@/strategy/StopBanners';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { SizeBox } from './SizeBox';
import styles from './scan.module.css';

interface ScanScreenProps {
  /** Of whose strategies it is the market. */
  kind: StrategyKind;
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

/** A market scanner: what keeps its strategies from opening and what every row assumes above, the rows below. */
export function ScanScreen(props: ScanScreenProps) {
  const { kind, size, onSize, sizeLabel, sizeShort, assumptions, updatedAt, held, hands, children, below } = props;
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{KINDS[kind].label}</h1>
        {size !== undefined && onSize && <SizeBox value={size} onChange={onSize} label={sizeLabel} short={sizeShort} />}
        {assumptions}
        <span className={styles.live}>
          {held && <span className="missing">排序已暂停　</span>}
          <LiveStatus polledOnly polledAt={updatedAt} />
        </span>
      </header>
      <UnguardedBanner kind={kind} />
      <StopBanners kind={kind} />
      <section className={styles.card} aria-label="机会" {...hands}>
        {children}
      </section>
      {below}
    </div>
  );
}
