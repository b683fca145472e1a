import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { Suspense, useMemo, useRef, useState } from 'react';
import { SIMULATED } from '#contract/candle';
import { type HedgeSettings, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { ErrorState } from '@/components/ErrorState';
import { LiveStatus } from '@/components/LiveStatus';
import { late } from '@/components/late';
import { useNotes } from '@/components/useNotes';
import { useQueryState } from '@/components/useQueryState';
import { useSame, useSameRows } from '@/components/useSame';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { useListed } from '@/table/useListed';
import { DayLoss } from './DayLoss';
import { DeskBanners } from './DeskBanners';
import { DeskHead } from './DeskHead';
import { confirmPair } from './hedgeActions';
import { HedgeContext, type HedgeScreen } from './hedgeContext';
import { Idea } from './Idea';
import styles from './index.module.css';
import { PairsPanel } from './pairs/PairsPanel';
import { pairsOf } from './pairs/pairsOf';
import { usePairWish } from './pairs/usePairWish';
import { WaitingPair, wishWords } from './pairs/WaitingPair';
import { RecordsPanel } from './records/RecordsPanel';
import { type ChangeRecords, recordsQuery, toApi } from './records/recordsQuery';

const SettingsDrawer = late(() => import('./settings/SettingsDrawer'));
const AddPairDialog = late(() => import('./pairs/AddPairDialog'));
const HedgeDrawer = late(() => import('./detail/HedgeDrawer'));

const WaitingPanel = late(() => import('@/opening/WaitingPanel'));

const REFRESH_MS = 3_000;
const NO_WISH = { long: '', short: '', source: null, carried: {} };

const writeNote = (id: string, note: string) => call(hedge.note, { body: { id, note } });

/** The screen is as fresh as the older of its two readings. */
const oldest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

/** 多空对冲: the switch, the settings, the pairs and the hedges of the user, live. */
export default function HedgePage() {
  const [urlState, setUrlState] = useQueryState(recordsQuery.codecs);
  const state = useSame(urlState);
  const userId = useModel('@@initialState').initialState?.user?.id;
  const reading = useCall(hedgeConfig.desk, {}, { refreshInterval: REFRESH_MS });
  const { listed: records, updatedAt } = useListed(
    useCall(hedge.list, { query: toApi(state) }, { refreshInterval: REFRESH_MS }),
    'id',
  );
  const notes = useNotes(writeNote);
  const [wish, setWish] = usePairWish();
  /** What the settings are opened with as changes not saved yet. */
  const [editing, setEditing] = useState<Partial<HedgeSettings>>();
  const { data: desk, error, isLoading } = reading;
  const pairs = useSameRows(desk && pairsOf(desk), 'pairId') ?? [];
  const names = useSame(pairs.map(({ pairId, long, short }) => ({ pairId, long, short })));
  const reopenable = useSame(
    pairs
      .filter(({ block, held, hedgeId }) => hedgeId === null && (block === 'used' || held !== null))
      .map(({ pairId, block, held }) => ({ pairId, block, held })),
  );
  const reopens = desk?.settings?.entry === 'z';

  // What the parts may do stays the same from refresh to refresh, and so do the parts.
  const latest = useRef({ setUrlState, setWish, reading });
  latest.current = { setUrlState, setWish, reading };
  const acts = useMemo(() => {
    const change: ChangeRecords = (...given) => latest.current.setUrlState(...given);
    return {
      change,
      open: (id: string, part?: 'backtest') => change({ id, compare: part === 'backtest' }),
      add: () => latest.current.setWish(NO_WISH),
      match: () => setEditing({ ratio: 'spread' }),
      refresh: () => {
        void latest.current.reading.mutate();
        records.reload();
      },
    };
  }, [records.reload]);
  const { change, open, add, match, refresh } = acts;
  const screen = useMemo<HedgeScreen>(
    () => ({ notes, reopenable: new Map(reopenable.map((pair) => [pair.pairId, pair])), reopens, open, refresh }),
    [notes, reopenable, reopens, open, refresh],
  );
  useChanges(['hedge'], refresh);

  if (desk === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void reading.retry()} retrying={isLoading} />;
    return <Skeleton active className={styles.waiting} paragraph={{ rows: 12 }} aria-label="加载中" />;
  }
  const nothing =
    pairs.length === 0 && records.total === 0 && state.state !== 'ended' && !recordsQuery.isFiltered(state);
  // Without settings a pair has no size: they come first, and the pair waits for them in sight.
  const waiting = desk.settings === null ? wish : null;
  return (
    <HedgeContext value={screen}>
      <div className={styles.page}>
        <DeskHead
          desk={desk}
          onSettings={() => setEditing({})}
          refresh={refresh}
          freshness={<LiveStatus polledOnly polledAt={oldest(reading.updatedAt, updatedAt)} />}
        />
        <UnguardedBanner kind="hedge" done={refresh} />
        <DeskBanners desk={desk} refresh={refresh} />
        {desk.settings !== null && <DayLoss desk={desk} />}
        {waiting ? (
          <WaitingPair wish={waiting} onSettings={() => setEditing({})} onDrop={() => setWish(null)} />
        ) : nothing ? (
          <section className={styles.card}>
            <Idea configured={desk.settings !== null} onSettings={() => setEditing({})} onAdd={add} />
          </section>
        ) : (
          <>
            <PairsPanel
              {...{ pairs, refresh }}
              onAdd={add}
              onOpen={open}
              onMatch={desk.settings?.ratio === 'spread' ? undefined : match}
            />
            <Suspense fallback={null}>
              <WaitingPanel kind="hedge" confirm={confirmPair} onDone={refresh} />
            </Suspense>
            <RecordsPanel
              running={desk.running}
              source={desk.settings?.source ?? SIMULATED}
              pairs={names}
              records={records}
              state={state}
              change={change}
            />
          </>
        )}
      </div>
      <Suspense fallback={null}>
        {editing && (
          <SettingsDrawer
            desk={desk}
            carried={waiting?.carried}
            wished={editing}
            next={waiting && `保存后接着添加${wishWords(waiting)}。`}
            onClose={() => setEditing(undefined)}
            onSaved={refresh}
          />
        )}
        {wish && desk.settings && !editing && (
          <AddPairDialog
            desk={{ ...desk, settings: desk.settings }}
            wish={wish}
            onClose={() => setWish(null)}
            onAdded={refresh}
          />
        )}
        {state.id !== '' && (
          <HedgeDrawer
            id={state.id}
            userId={userId}
            compared={state.compare}
            onCompared={(compare) => change({ compare }, { replace: true })}
            onClose={() => change({ id: '', compare: false })}
          />
        )}
      </Suspense>
    </HedgeContext>
  );
}
