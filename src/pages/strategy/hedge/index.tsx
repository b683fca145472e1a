import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { hedgeConfig } from '#contract/hedgeConfig';
import { ErrorState } from '@/components/ErrorState';
import { useQueryState } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import { DeskBanners } from './DeskBanners';
import { DeskHead } from './DeskHead';
import { Freshness } from './Freshness';
import { HedgeContext } from './hedgeContext';
import { Idea } from './Idea';
import styles from './index.module.css';
import { PairsPanel } from './PairsPanel';
import { RecordsPanel } from './RecordsPanel';
import { hedgeCodecs, isFiltered } from './recordsQuery';
import { useNotes } from './useNotes';
import { usePairWish } from './usePairWish';
import { useRecords } from './useRecords';

const SettingsDrawer = lazy(() => import('./SettingsDrawer'));
const AddPairDialog = lazy(() => import('./AddPairDialog'));
const HedgeDrawer = lazy(() => import('./HedgeDrawer'));

const REFRESH_MS = 3_000;

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
  const refresh = () => {
    void reading.mutate();
    void records.mutate();
  };
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
    <HedgeContext value={{ notes, open: (id) => change({ id }), refresh }}>
      <div className={styles.page}>
        <DeskHead
          desk={desk}
          onSettings={() => setEditing(true)}
          refresh={refresh}
          freshness={<Freshness updatedAt={reading.updatedAt} failing={error ?? records.failing} />}
        />
        <DeskBanners desk={desk} />
        {nothing ? (
          <section className={styles.card}>
            <Idea configured={desk.settings !== null} onSettings={() => setEditing(true)} onAdd={add} />
          </section>
        ) : (
          <>
            <PairsPanel pairs={desk.pairs} onAdd={add} onOpen={(id) => change({ id })} refresh={refresh} />
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
