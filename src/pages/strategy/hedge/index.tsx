import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { type HedgeDesk, hedgeConfig } from '#contract/hedgeConfig';
import { ErrorState } from '@/components/ErrorState';
import { LiveStatus } from '@/components/LiveStatus';
import { useQueryState } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import { DeskBanners } from './DeskBanners';
import { DeskHead } from './DeskHead';
import { HedgeContext, type HedgeScreen } from './hedgeContext';
import { Idea } from './Idea';
import styles from './index.module.css';
import { PairsPanel } from './PairsPanel';
import { RecordsPanel } from './RecordsPanel';
import { hedgeCodecs, isFiltered } from './recordsQuery';
import { useHedgeEvents } from './useHedgeEvents';
import { useNotes } from './useNotes';
import { usePairWish } from './usePairWish';
import { useRecords } from './useRecords';

const SettingsDrawer = lazy(() => import('./SettingsDrawer'));
const AddPairDialog = lazy(() => import('./AddPairDialog'));
const HedgeDrawer = lazy(() => import('./HedgeDrawer'));

const REFRESH_MS = 3_000;

/** The screen is as fresh as the older of its two readings. */
const oldest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

/** As text, which stays the same from reading to reading. */
const usedOf = (desk: HedgeDesk | undefined) =>
  (desk?.pairs ?? [])
    .filter(({ block }) => block === 'used')
    .map(({ pairId }) => pairId)
    .join(',');

/** 多空对冲: the switch, the settings, the pairs and the hedges of the user, live. */
export default function HedgePage() {
  const [state, change] = useQueryState(hedgeCodecs);
  const userId = useModel('@@initialState').initialState?.user?.id;
  const reading = useCall(hedgeConfig.desk, {}, { refreshInterval: REFRESH_MS });
  const records = useRecords(state, REFRESH_MS);
  const notes = useNotes();
  const [wish, setWish] = usePairWish();
  const [editing, setEditing] = useState(false);
  const { data: desk, error, isLoading } = reading;
  const latest = useRef({ reading, records, change });
  latest.current = { reading, records, change };
  const used = usedOf(desk);
  const screen = useMemo<HedgeScreen>(
    () => ({
      notes,
      used: new Set(used.split(',')),
      open: (id) => latest.current.change({ id }),
      refresh: () => {
        void latest.current.reading.mutate();
        void latest.current.records.mutate();
      },
    }),
    [notes, used],
  );
  const { refresh, open } = screen;
  useHedgeEvents(refresh);
  if (desk === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void reading.mutate()} retrying={isLoading} />;
    return <Skeleton active className={styles.waiting} paragraph={{ rows: 12 }} aria-label="加载中" />;
  }

  const add = () => setWish({ long: '', short: '', source: null });
  const nothing = desk.pairs.length === 0 && records.data?.total === 0 && state.state !== 'ended' && !isFiltered(state);
  // Without settings a pair has no size: they come first, and the wish waits for them.
  const configuring = editing || (wish !== null && desk.settings === null);
  const stopConfiguring = () => {
    setEditing(false);
    if (desk.settings === null) setWish(null);
  };
  return (
    <HedgeContext value={screen}>
      <div className={styles.page}>
        <DeskHead
          desk={desk}
          onSettings={() => setEditing(true)}
          refresh={refresh}
          freshness={<LiveStatus polledOnly polledAt={oldest(reading.updatedAt, records.updatedAt)} />}
        />
        <DeskBanners desk={desk} />
        {nothing ? (
          <section className={styles.card}>
            <Idea configured={desk.settings !== null} onSettings={() => setEditing(true)} onAdd={add} />
          </section>
        ) : (
          <>
            <PairsPanel desk={desk} onAdd={add} onOpen={open} refresh={refresh} />
            <RecordsPanel desk={desk} records={records} state={state} change={change} />
          </>
        )}
      </div>
      <Suspense fallback={null}>
        {configuring && <SettingsDrawer desk={desk} onClose={stopConfiguring} onSaved={refresh} />}
        {wish && desk.settings && !editing && (
          <AddPairDialog
            desk={{ ...desk, settings: desk.settings }}
            wish={wish}
            onClose={() => setWish(null)}
            onAdded={refresh}
          />
        )}
        {state.id !== '' && <HedgeDrawer id={state.id} userId={userId} onClose={() => change({ id: '' })} />}
      </Suspense>
    </HedgeContext>
  );
}
