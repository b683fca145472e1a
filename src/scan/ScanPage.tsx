import { Input } from 'antd';
import { Fragment, type ReactNode, useMemo, useRef, useState } from 'react';
import type { TObject, TUnsafe } from 'typebox';
import type { DataOf, Endpoint } from '#contract/endpoint';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { EmptyState } from '@/components/EmptyState';
import { OnlyStarred, starredCodec } from '@/components/Star';
import {
  boundedCodec,
  numberCodec,
  type QueryCodec,
  type StateOf,
  stateOf,
  textCodec,
  useQueryState,
} from '@/components/useQueryState';
import { call } from '@/services/call';
import { readForLink } from '@/services/read';
import { useStars } from '@/services/stars';
import { isAnswered, useCall } from '@/services/useCall';
import type { Draft } from '@/strategy/StrategyDrawer';
import type { OwnStrategies } from '@/strategy/StrategyPanel';
import type { Column } from '@/table/column';
import type { ListPage } from '@/table/everyPage';
import { FilterBar } from '@/table/FilterBar';
import { ListTable } from '@/table/ListTable';
import { type Change, listQuery, type Place } from '@/table/listQuery';
import { CardFigures, CardFoot, RowCard } from '@/table/RowCard';
import { type FilterState, type Filters, filterCodecs, SchemaFilters, type Usual } from '@/table/schemaFilters';
import { useTyped } from '@/table/useTyped';
import { HiddenRows, type HiddenRowsProps } from './HiddenRows';
import { MarketPresent } from './RowAge';
import { ScanScreen } from './ScanScreen';
import { SIZE_BOUNDS } from './SizeBox';
import styles from './scan.module.css';
import type { ScanRow } from './scanColumns';
import { SCAN_PLACE } from './scanPlace';
import { useLacking } from './useLacking';
import { SCAN_REFRESH, useScan } from './useScan';
import { isAtMarket, MARKET, MINE, useScreenTab } from './useScreenTab';

interface ScanCardOptions<R> {
  /** Keys of the columns whose words stand beside the coin. */
  beside: readonly string[];
  /** Keys of the columns that are shown, in their order here. */
  figures: readonly string[];
  /** Those of them that take a line of their own. */
  wide?: readonly string[];
  expanded?: (row: R) => ReactNode;
}

/** A row of a scanner on a phone, made of the columns of its table. */
function scanCard<R extends { id: string; base: string }>(
  columns: readonly Column<R>[],
  { beside, figures, wide = [], expanded }: ScanCardOptions<R>,
) {
  const of = (key: string): Column<R>[] => columns.filter((column) => column.key === key);
  const [coin, plan, obstacles] = [of('base'), of('plan'), of('obstacles')];
  const words = beside.flatMap(of);
  const shown = figures.flatMap(of);
  const draw = (some: readonly Column<R>[], row: R) =>
    some.map(({ key, render }) => <Fragment key={key}>{render(row)}</Fragment>);
  return (row: R) => (
    <RowCard
      label={row.id}
      head={
        <>
          <span>
            <strong>{draw(coin, row)}</strong>
            {words.map(({ key, render }) => (
              <span key={key} className="soft">
                {' '}
                {render(row)}
              </span>
            ))}
          </span>
          <span>{draw(obstacles, row)}</span>
        </>
      }
    >
      <CardFigures
        figures={shown.map(({ key, title, render }) => [title, render(row), wide.includes(key)] as const)}
        columns={3}
      />
      <CardFoot acts={draw(plan, row)} {...(expanded && { open: () => expanded(row) })} />
    </RowCard>
  );
}

// biome-ignore lint/suspicious/noExplicitAny: codecs of any values; each is read and written by its own only
type Codecs = Record<string, QueryCodec<any, any>>;

/** What the URL says of a scanner: place, filters, the coin looked for, the size, and what else rows are worked out with. */
export type ScanState<F, A> = Place & FilterState<F> & StateOf<A> & { search: string; coins: boolean; size: number };

interface Told<S> {
  state: S;
  change: Change<S>;
}

/** A list beside that of the opportunities. */
export interface OtherMarket<S> {
  key: string;
  label: string;
  /** Reads its rows while it is looked at. */
  useRows: (state: S, isOpen: boolean) => Omit<ReturnType<typeof useScan>, 'list'> & { list: unknown };
  draw: (list: never, told: Told<S>) => ReactNode;
}

type RowOf<E> = DataOf<E> extends ListPage<infer R extends ScanRow> ? R : ScanRow;

interface ScanSpec<E extends Endpoint, F extends Filters, A extends Codecs, P extends object> {
  /** Under which the reader's columns are kept, where it is not the kind. */
  name?: string;
  endpoint: E;
  filters: F;
  /** Bounds that stand until somebody takes them off. */
  usual?: Usual<F>;
  /** What else every row is worked out with: it stays when filters are taken off. */
  assumed: A;
  assumptions?: (told: Told<ScanState<F, A>>) => ReactNode;
  /** What has the size, and the same where there is little room. */
  sizeLabel?: string;
  sizeShort?: string;
  columns: (plan: (row: RowOf<E>) => void, open: (row: RowOf<E>) => void) => Column<RowOf<E>>[];
  /** Where the legs of a row lie; absent: at its source. */
  sources?: (row: RowOf<E>) => readonly string[];
  /** What of a draft's params is of one deal alone; absent where rows are not opened one by one. */
  single?: Partial<P>;
  /** What a phone shows of a row. */
  card: Omit<ScanCardOptions<RowOf<E>>, 'expanded'>;
  /** What lies behind a row, where it opens. */
  past?: (row: RowOf<E>) => ReactNode;
  /** A strategy of a row, at what all rows assume. */
  draftOf: (row: RowOf<E>, state: ScanState<F, A>) => Draft<P>;
  /** Where the market has nothing of the kind: what, and when it would. */
  nothing: readonly [title: string, description: string];
  other?: OtherMarket<ScanState<F, A>>;
  below?: (state: ScanState<F, A>) => ReactNode;
  own: Omit<OwnStrategies<P>, 'draft' | 'onDraft'> & { above?: ReactNode };
  /** More of the user's own strategies, read as long as they are looked at. */
  useOwn?: (isOpen: boolean) => Partial<OwnStrategies<P>>;
}

/** What every scanner answers. */
type Answer<R> = ListPage<R> & { at: number } & Pick<HiddenRowsProps, 'all' | 'hidden'>;

/** Whatever cannot be acted on is folded until it is asked for. */
const USUAL = { actionable: true };

const atSource = (row: object): string[] => ('source' in row ? [String(row.source)] : []);

const useNoOther = () => undefined;
const useNoOwn = () => ({});

type State = ScanState<Filters, Codecs> & Record<string, unknown>;

/** What a screen draws of any scanner. */
// biome-ignore lint/suspicious/noExplicitAny: of any rows and params; each scanner says what is done with its own
interface Scan extends Omit<ScanSpec<any, Filters, Codecs, any>, 'endpoint' | 'columns'> {
  columns: (plan: (row: ScanRow) => void, open: (row: ScanRow) => void) => Column<ScanRow>[];
  endpoint: Endpoint<TObject, TObject, TUnsafe<Answer<ScanRow>>>;
  sources: (row: ScanRow) => readonly string[];
  useOther: (state: State, isOpen: boolean) => ReturnType<OtherMarket<State>['useRows']> | undefined;
  useOwn: (isOpen: boolean) => Partial<OwnStrategies<object>>;
  markets: { key: string; label: string }[];
  query: ReturnType<typeof listQuery<Codecs, Codecs>>;
  toApi: (state: State) => object;
}

/** A scanner as its screen draws it: what it is, what the URL holds of it, and what it is asked. */
export function scanOf<E extends Endpoint, F extends Filters, A extends Codecs, P extends object>(
  spec: ScanSpec<E, F, A, P>,
): Scan {
  const { filters, other } = spec;
  const usual = { ...USUAL, ...spec.usual };
  const size = boundedCodec(numberCodec(10_000), SIZE_BOUNDS);
  const kept: Codecs = { ...SCAN_PLACE, size, ...spec.assumed };
  const query = listQuery<Codecs, Codecs>(
    { search: textCodec(), coins: starredCodec, ...filterCodecs(filters, usual as never) },
    kept,
  );
  return {
    ...{ useOther: useNoOther, useOwn: useNoOwn, sources: atSource },
    ...spec,
    ...(other && { useOther: other.useRows }),
    markets: [{ key: MARKET, label: '机会' }, ...(other ? [other] : [])],
    query,
    toApi: (state: State) => ({
      ...Object.fromEntries(
        Object.entries(kept).map(([name, { ask }]) => {
          const value = state[name as keyof typeof state];
          return [name, ask ? ask(value) : value];
        }),
      ),
      ...query.toApi(state),
    }),
    // Rows and params are the scanner's own, and so is what is done with them.
  } as unknown as Scan;
}

/** Begins what the screen of a scanner reads, where it opens at the market. */
export const scanAhead =
  ({ endpoint, query, toApi }: Scan) =>
  (search: URLSearchParams): void => {
    if (isAtMarket(search)) readForLink(endpoint, { query: toApi(stateOf(query.codecs, search) as State) } as never);
  };

/** The screen of a scanner and of the user's own strategies of its kind. */
export function ScanPage({ scan }: { scan: Scan }) {
  const { endpoint, filters, query, markets, own, other, useOther, useOwn } = scan;
  const [state, change] = useQueryState(query.codecs) as unknown as [State, Change<State>];
  const stars = useStars();
  const asked = scan.toApi(state);
  const isKnown = !state.coins || stars !== undefined;
  const place = useScreenTab(markets.map(({ key }) => key));
  const isOther = other !== undefined && place.tab === other.key;
  const reading = useCall(endpoint, place.tab === MARKET && isKnown ? ({ query: asked } as never) : null, SCAN_REFRESH);
  const market = useScan<Answer<ScanRow>>(reading, 'id', asked);
  const lacking = useLacking(scan.sources, place.tab === MARKET);
  const rows = useMemo(() => market.list.rows?.map(lacking), [market.list.rows, lacking]);
  const otherScan = useOther(state, isOther);
  const more = useOwn(place.tab !== MARKET);
  const [draft, setDraft] = useState<Draft<object>>();
  const latest = useRef(state);
  latest.current = state;
  const shown = useRef(place.show);
  shown.current = place.show;
  const columns = useMemo(() => {
    const { draftOf, single } = scan;
    const open = async (row: ScanRow) => {
      const { name, params } = draftOf(row, latest.current);
      const { askSingle } = await import('@/strategy/SingleDeal');
      const draft = { name, params: { ...params, ...single } };
      askSingle({ kind: own.kind, form: own.form, draft, onOpened: (id) => shown.current(id) });
    };
    return scan.columns(
      (row) => setDraft(draftOf(row, latest.current)),
      (row) => void open(row),
    );
  }, [scan, own]);
  const card = useMemo(
    () => scanCard(columns, { ...scan.card, ...(scan.past && { expanded: scan.past }) }),
    [columns, scan],
  );
  const told = { state, change };
  const { updatedAt, hands, held } = (isOther && otherScan) || market;
  // Order and page are of the market that was seen last.
  const last = useRef(isOther ? other.key : MARKET);
  const turn = (to: string) => {
    place.turn(to);
    if (to === MINE) return;
    if (to !== last.current) change({ sort: '', current: 1 } as Partial<State>, { replace: true });
    last.current = to;
  };
  const clear = () => change(query.clear as unknown as Partial<State>);
  const isFiltered = query.isFiltered(state);
  const hidden = reading.data && reading.data.hidden.length > 0 && (
    <HiddenRows {...{ filters, state }} {...reading.data} change={change as HiddenRowsProps['change']} />
  );
  return (
    <ScanScreen
      place={{ ...place, turn }}
      markets={markets}
      {...(!isOther && { size: state.size, onSize: (size) => change({ size } as Partial<State>) })}
      sizeLabel={scan.sizeLabel}
      sizeShort={scan.sizeShort}
      assumptions={!isOther && scan.assumptions?.(told)}
      {...{ updatedAt, hands, held }}
      own={{ ...own, ...more, draft, onDraft: setDraft }}
      // It comes when it is known how much room the rows take: nothing moves.
      below={isAnswered(market.list) && scan.below?.(state)}
    >
      {isOther ? (
        other.draw(otherScan?.list as never, told)
      ) : (
        <MarketPresent at={reading.data?.at} readAt={updatedAt}>
          <ListTable
            name={scan.name ?? own.kind}
            title={STRATEGY_KIND_LABEL[own.kind]}
            columns={columns}
            rowKey="id"
            list={{ ...market.list, rows }}
            readPage={async (page) => {
              const answer = await call(endpoint, { query: { ...asked, ...page } } as never);
              return { ...answer, list: answer.list.map(lacking) };
            }}
            place={state}
            onPlace={change as Change<Place>}
            {...(scan.past && { expanded: scan.past })}
            card={card}
            filters={
              <MarketFilters
                {...{ filters, state, isFiltered }}
                change={change}
                onClear={clear}
                clearText="恢复默认筛选"
              />
            }
            empty={hidden || <EmptyState title={scan.nothing[0]} description={scan.nothing[1]} />}
          />
          {reading.data !== undefined && reading.data.total > 0 && hidden}
        </MarketPresent>
      )}
    </ScanScreen>
  );
}

interface MarketFiltersProps {
  filters: Filters;
  state: { search: string; coins: boolean } & object;
  isFiltered: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: of any screen's state
  change: Change<any>;
  onClear: () => void;
  clearText?: string;
}

/** What a list of the market is narrowed down by, the coin first; all of it is in the URL. */
export function MarketFilters({ filters, state, isFiltered, change, onClear, clearText }: MarketFiltersProps) {
  const filter = (next: object, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  const [typed, type] = useTyped(state.search, (search) => filter({ search }, true));
  return (
    <FilterBar
      filtered={isFiltered}
      onClear={onClear}
      {...(clearText !== undefined && { clearText })}
      lead={
        <>
          <Input
            className={styles.search}
            allowClear
            maxLength={64}
            placeholder="搜索币种"
            aria-label="搜索"
            value={typed}
            onChange={({ target }) => type(target.value)}
          />
          <OnlyStarred value={state.coins} onChange={(coins) => filter({ coins })} />
        </>
      }
    >
      <SchemaFilters filters={filters} state={state} onChange={filter} />
    </FilterBar>
  );
}
