import { Link, useModel } from '@umijs/max';
import { Button } from 'antd';
import { Suspense, useMemo, useRef, useState } from 'react';
import {
  type HedgeDesk,
  type HedgePair,
  type HedgeSettings,
  hedgeConfig,
  RATIO_RULES,
} from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import type { PairBlock } from '#contract/lifecycle';
import type { StrategyKind } from '#contract/strategy';
import { clockWordsOf } from '@/components/clockWords';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { LimitBar } from '@/components/LimitBar';
import { LiveStatus } from '@/components/LiveStatus';
import { late } from '@/components/late';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { useNotes } from '@/components/useNotes';
import { usePreparing } from '@/components/usePreparing';
import { numberCodec, stateOf, textCodec, useQueryState, wordCodec } from '@/components/useQueryState';
import { useSame, useSameRows } from '@/components/useSame';
import { Waiting } from '@/components/Waiting';
import { useHeld } from '@/flatten/useHeld';
import { call } from '@/services/call';
import { readForLink } from '@/services/read';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';
import type { Afterwards } from '@/strategy/AfterClose';
import { useStops } from '@/strategy/useStops';
import { useListed } from '@/table/useListed';
import { DeskHead } from './DeskHead';
import { DeskTable } from './desk/DeskTable';
import { type ChangeDesk, deskQuery, toApi } from './desk/deskQuery';
import { HedgeContext, type HedgeScreen } from './hedgeContext';
import styles from './index.module.css';
import type { PairWish } from './pairs/AddPairDialog';
import { WaitingPair, wishWords } from './pairs/WaitingPair';

const SettingsDrawer = late(() => import('./settings/SettingsDrawer'));
const AddPairDialog = late(() => import('./pairs/AddPairDialog'));
const DeskBanners = late(() => import('./DeskBanners'));
const WaitingHedges = late(() => import('./pairs/WaitingHedges'));
const HedgeDrawer = late(() => import('./detail/HedgeDrawer'));

/** What happens is told at once; figures follow the market. */
const READING = { refreshInterval: 3_000, untouchedInterval: 5_000 };
const NO_WISH = { long: '', short: '', source: null, carried: {} };

const writeNote = (id: string, note: string) => call(hedge.note, { body: { id, note } });

/** The screen is as fresh as the older of its two readings. */
const oldest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

const ofHedge = ({ kind }: { kind: StrategyKind }): boolean => kind === 'hedge';

/** Whether something keeps the desk from opening, or from looking after what it holds, as its banners tell. */
function useBanners(desk: HedgeDesk | undefined): boolean {
  const isUnguarded = useHeld().data?.unguarded.some(ofHedge) === true;
  const stops = useStops().data;
  const isHeard = stops !== undefined && (stops.unjudged.some(ofHedge) || stops.outages.length > 0);
  if (isUnguarded || isHeard || desk === undefined) return isUnguarded || isHeard;
  const { paused, pausedForAll, unvalued, lossLimitHit, tripped } = desk;
  return lossLimitHit || [paused, pausedForAll, unvalued, tripped].some((reason) => reason !== null);
}

/** 多空对冲: the switch, the settings, the pairs and the hedges of the user, live. */
export default function HedgePage() {
  const [urlState, setUrlState] = useQueryState(deskQuery.codecs);
  const state = useSame(urlState);
  const userId = useModel('@@initialState').initialState?.user?.id;
  const reading = useCall(hedgeConfig.desk, {}, READING);
  const { listed: records, updatedAt } = useListed(useCall(hedge.list, { query: toApi(state) }, READING), 'id');
  const notes = useNotes(writeNote);
  const [wish, setWish] = usePairWish();
  /** What the settings are opened with as changes not saved yet. */
  const [editing, setEditing] = useState<Partial<HedgeSettings>>();
  const { data: desk, error, isLoading } = reading;
  const hasBanners = useBanners(desk);
  const pairs = useSameRows(desk && pairsOf(desk), 'pairId') ?? [];
  const reopenable = useSame(
    pairs
      .filter(({ block, held, hedgeId }) => hedgeId === null && (block === 'used' || held !== null))
      .map(({ pairId, block, held }) => ({ pairId, block, held })),
  );
  const plan = useSame(desk?.settings ?? null);
  const goesOn = desk !== undefined && blockOfAll(desk) === null ? 'reopens' : 'reopensLater';
  const afterwards: Afterwards = plan?.entry === 'z' ? goesOn : 'byHand';

  // What the parts may do stays the same from refresh to refresh, and so do the parts.
  const latest = useRef({ setUrlState, setWish, reading });
  latest.current = { setUrlState, setWish, reading };
  const acts = useMemo(() => {
    const change: ChangeDesk = (...given) => latest.current.setUrlState(...given);
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
    () => ({
      ...{ notes, plan, afterwards, open, refresh },
      reopenable: new Map(reopenable.map((pair) => [pair.pairId, pair])),
      match: plan?.ratio === 'spread' ? undefined : match,
    }),
    [notes, plan, reopenable, afterwards, open, match, refresh],
  );
  useChanges(['hedge'], refresh);

  if (desk === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void reading.retry()} retrying={isLoading} />;
    return <Waiting className={styles.waiting} rows={12} />;
  }
  const nothing = pairs.length === 0 && records.total === 0 && !deskQuery.isFiltered(state);
  // Without settings a pair has no size: they come first, and the pair waits for them in sight.
  const waiting = desk.settings === null ? wish : null;
  return (
    <HedgeContext value={screen}>
      <div className="stack">
        <DeskHead
          desk={desk}
          onSettings={() => setEditing({})}
          refresh={refresh}
          freshness={<LiveStatus polledOnly polledAt={oldest(reading.updatedAt, updatedAt)} />}
        />
        {hasBanners && (
          <Suspense fallback={null}>
            <DeskBanners desk={desk} refresh={refresh} />
          </Suspense>
        )}
        {desk.settings !== null && <DayLoss desk={desk} />}
        <Singles />
        {waiting ? (
          <WaitingPair wish={waiting} onSettings={() => setEditing({})} onDrop={() => setWish(null)} />
        ) : nothing ? (
          <section className={`card ${styles.card}`}>
            <Idea configured={desk.settings !== null} onSettings={() => setEditing({})} onAdd={add} />
          </section>
        ) : (
          <DeskTable {...{ desk, pairs, records, state, change }} onAdd={add} />
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

/** Single hedges that are not opened yet, where there are any. */
function Singles() {
  const { data, mutate } = useCall(hedge.waiting, {}, READING);
  const refresh = () => void mutate();
  useChanges(['hedge'], refresh);
  if (data === undefined || data.list.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <WaitingHedges list={data.list} refresh={refresh} />
    </Suspense>
  );
}

const UNKNOWN = '今日的记账还没有开始，或有持仓没有标记价';
const usdt = (value: number) => formatNumber(value, { digits: 2 });

interface DayLossProps {
  desk: Pick<HedgeDesk, 'day' | 'dayPnl' | 'accountLimit' | 'loss'>;
}

/** How much of the strategy's daily loss limit is used, always in sight, beside the account's day and its own limit. */
function DayLoss({ desk: { day, dayPnl, accountLimit, loss } }: DayLossProps) {
  const pending = usePreparing();
  const { result, used, limit, share } = loss;
  const words = `${used === null ? '-' : usdt(used)} / ${limit === null ? '未设上限' : `${usdt(limit)} USDT`}`;
  if (pending !== undefined)
    return (
      <section className={styles.dayLoss} aria-label="单日亏损">
        <LimitBar label="今日已用 / 上限" used={0} figure="生成中" text={pending} meaning="bad" />
        <span className="soft">{pending}</span>
      </section>
    );
  return (
    <section className={styles.dayLoss} aria-label="单日亏损">
      <LimitBar
        label="今日已用 / 上限"
        used={share ?? 0}
        figure={used === null ? <Missing reason={UNKNOWN} /> : words}
        text={words}
        meaning="bad"
      />
      <span className="soft">
        对冲今日 <Pnl value={result} unit="USDT" reason={UNKNOWN} />
        ，账户今日 <Pnl value={dayPnl} unit="USDT" reason={UNKNOWN} />
        （账户上限 {accountLimit === null ? '未设' : `${usdt(accountLimit)} USDT`}），自 {clockWordsOf(day.start)}
      </span>
    </section>
  );
}

interface IdeaProps {
  configured: boolean;
  onSettings: () => void;
  onAdd: () => void;
}

/** What the screen is for, while nothing has been set up, and where to begin. */
function Idea({ configured, onSettings, onAdd }: IdeaProps) {
  const lines = (
    <ol className={styles.idea}>
      <li>选一强一弱两个币种，同时做多强者、做空弱者，两边名义相当。</li>
      <li>大盘涨跌两边抵消，赚的是两者的相对强弱，外加两边资金费之差。</li>
      <li>引擎同时建两边、按止损止盈与最长持有平仓，出现裸腿会补齐或退回。</li>
      <li>默认是模拟盘：委托、成交、手续费与资金费如实记账，不动真钱。</li>
    </ol>
  );
  return (
    <EmptyState title="把一对币种当作一笔交易来做" description={lines}>
      <div className={styles.ideaActions}>
        <Link to="/indicator/hedge">
          <Button type="primary">去中性选币挑一对</Button>
        </Link>
        {configured ? (
          <Button onClick={onAdd}>直接添加交易对</Button>
        ) : (
          <Button onClick={onSettings}>先设置参数</Button>
        )}
      </div>
    </EmptyState>
  );
}

const codecs = {
  long: textCodec(),
  short: textCodec(),
  source: textCodec(),
  leverage: numberCodec(null),
  ratio: wordCodec(RATIO_RULES, null),
};
const NOTHING = { long: '', short: '', source: '', leverage: null, ratio: null };

/** The pair that is to be added: what the address brought along, or what was asked for here; `null` when none is. */
function usePairWish(): [PairWish | null, (wish: PairWish | null) => void] {
  const [{ long, short, source, leverage, ratio }, change] = useQueryState(codecs);
  const [here, setHere] = useState<PairWish | null>(null);
  const carried = { ...(leverage === null ? {} : { leverage }), ...(ratio === null ? {} : { ratio }) };
  const brought = long !== '' || short !== '' ? { long, short, source: source || null, carried } : null;
  const set = (wish: PairWish | null) => {
    setHere(wish);
    // What was taken up or put away must not come back with a reload.
    if (wish === null && brought) change(NOTHING, { replace: true });
  };
  return [here ?? brought, set];
}

/** What keeps every pair out: the engine says it of a pair only once it has looked at it. */
function blockOfAll({ enabled, paused, pausedForAll, lossLimitHit }: HedgeDesk): PairBlock | null {
  if (!enabled) return 'disabled';
  if (pausedForAll !== null) return 'pausedForAll';
  if (lossLimitHit) return 'lossLimit';
  return paused === null ? null : 'paused';
}

HedgePage.ahead = (search: URLSearchParams) => {
  readForLink(hedgeConfig.desk, {});
  readForLink(hedge.list, { query: toApi(stateOf(deskQuery.codecs, search)) });
};

/** The pairs, each with what keeps it out. */
function pairsOf(desk: HedgeDesk): HedgePair[] {
  const block = blockOfAll(desk);
  return desk.pairs.map((pair) => (pair.block === null && block !== null ? { ...pair, block } : pair));
}
