import { Tabs } from 'antd';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { strategies } from '#contract/strategies';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { LiveStatus } from '@/components/LiveStatus';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import { BelowBanners } from '@/strategy/BelowBanners';
import { OwnTabLabel } from '@/strategy/OwnTabLabel';
import { StopBanners } from '@/strategy/StopBanners';
import type { OwnStrategies } from '@/strategy/StrategyPanel';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { SizeBox } from './SizeBox';
import styles from './scan.module.css';
import { MARKET, MINE, type ScreenTab } from './useScreenTab';

/** Nothing of it is needed while the market is looked at. */
const StrategyPanel = late(
  () => import('@/strategy/StrategyPanel'),
) as unknown as typeof import('@/strategy/StrategyPanel').default;

const StrategyDrawer = late(
  () => import('@/strategy/StrategyDrawer'),
) as unknown as typeof import('@/strategy/StrategyDrawer').default;

/** The user's own strategies are read as often as they are looked at; their figures on the tab less often. */
const OPEN_MS = 3_000;
const CLOSED_MS = 10_000;

const MARKETS = [{ key: MARKET, label: '机会' }];

interface MarketProps {
  /** USDT a leg; absent where no row is priced at a size. */
  size?: number;
  onSize?: (size: number) => void;
  sizeLabel?: string;
  /** The same where other assumptions leave little room. */
  sizeShort?: string;
  /** Other assumptions that hold for every row. */
  assumptions?: ReactNode;
  hands: { onPointerEnter: () => void; onPointerLeave: () => void };
  children: ReactNode;
  /** What else is told of the market. */
  below?: ReactNode;
}

interface ScanScreenProps<P extends object> extends MarketProps {
  /** Which tab is open. */
  place: ScreenTab;
  /** The tabs beside the user's own. */
  markets?: readonly { key: string; label: string }[];
  /** When the rows were read, UTC ms. */
  updatedAt: number | undefined;
  /** The rows keep their places while somebody points at them. */
  held: boolean;
  /** The user's own strategies of the kind, and what is told of all of them. */
  own: OwnStrategies<P> & { above?: ReactNode };
}

/** A market scanner and the user's own strategies, in tabs: of those that are not open nothing is drawn. */
export function ScanScreen<P extends object>(props: ScanScreenProps<P>) {
  const { place, markets = MARKETS, updatedAt, held, own, ...market } = props;
  const { kind, form, draft, onDraft } = own;
  const onMine = place.tab === MINE;
  const reading = useCall(strategies.list, { query: { kind } }, { refreshInterval: onMine ? OPEN_MS : CLOSED_MS });
  const saved = (id: string) => {
    void reading.mutate();
    if (draft?.edited === undefined) place.show(id);
  };
  const pane = (content: ReactNode) => (
    <div className={styles.pane}>
      <UnguardedBanner kind={kind} />
      <StopBanners kind={kind} />
      <BelowBanners className={styles.pane}>{content}</BelowBanners>
    </div>
  );
  const mine = pane(
    <>
      {own.above}
      <Suspense fallback={null}>
        <StrategyPanel {...own} reading={reading} />
      </Suspense>
    </>,
  );
  return (
    <div className={styles.screen}>
      <h1>{STRATEGY_KIND_LABEL[kind]}</h1>
      <span className={styles.live}>
        {!onMine && <span className="missing">{held ? '排序已暂停' : '每 30 秒重排'}　</span>}
        <LiveStatus polledOnly polledAt={onMine ? reading.updatedAt : updatedAt} />
      </span>
      <Tabs
        className={styles.tabs}
        size="small"
        tabBarGutter={20}
        destroyOnHidden
        activeKey={place.tab}
        onChange={place.turn}
        items={[
          ...markets.map((one) => ({ ...one, children: pane(<Market {...market} />) })),
          { key: MINE, label: <OwnTabLabel rows={reading.data?.list} />, children: mine },
        ]}
      />
      {draft && (
        <Suspense fallback={null}>
          <StrategyDrawer kind={kind} form={form} draft={draft} onClose={() => onDraft(undefined)} onSaved={saved} />
        </Suspense>
      )}
    </div>
  );
}

/** What every row assumes, and the rows. */
function Market({ size, onSize, sizeLabel, sizeShort, assumptions, hands, children, below }: MarketProps) {
  // Whoever turns to another tab has left the rows, with the pointer or without.
  const left = useRef(hands.onPointerLeave);
  useEffect(() => {
    const leave = left.current;
    return () => leave();
  }, []);
  const isSized = size !== undefined && onSize !== undefined;
  return (
    <>
      {(isSized || assumptions) && (
        <div className={styles.assumptions}>
          {isSized && <SizeBox value={size} onChange={onSize} label={sizeLabel} short={sizeShort} />}
          {assumptions}
        </div>
      )}
      <section className={styles.card} aria-label="机会" {...hands}>
        {children}
      </section>
      {below}
    </>
  );
}
