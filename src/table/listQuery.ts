import type { QueryCodec, StateOf } from '@/components/useQueryState';
import { listCodecs } from './listCodecs';

/** Page, rows a page and order. */
export type Place = StateOf<typeof listCodecs>;

/** Changes some of what the URL holds. */
export type Change<S> = (change: Partial<S>, options?: { replace?: boolean }) => void;

// biome-ignore lint/suspicious/noExplicitAny: codecs of any values; each is read and written by its own only
type AnyCodecs = Record<string, QueryCodec<any, any>>;

/** What the API is asked for by these codecs. */
type AskedOf<F> = { [K in keyof F]?: F[K] extends QueryCodec<infer _V, infer A> ? A : never };

/** Without an own way to ask, what is empty is left out. */
const plain = (value: unknown) => (value === null || value === '' || value === false ? undefined : value);

/**
 * What a list keeps in the URL: its place, the values in `own`, and the `filters`, which `clear` takes off together.
 * The API is asked by place and filters; what is not set is left out.
 */
export function listQuery<F extends AnyCodecs, O extends AnyCodecs>(filters: F, own: O) {
  type State = Place & StateOf<F> & StateOf<O>;
  const names = Object.keys(filters);
  const held = (state: State, name: string) => state[name as keyof State];
  const cleared = Object.fromEntries(names.map((name) => [name, filters[name]!.read(null)]));
  const asked = (state: State) =>
    Object.fromEntries(names.map((name) => [name, (filters[name]!.ask ?? plain)(held(state, name))])) as AskedOf<F>;
  return {
    codecs: { ...listCodecs, ...own, ...filters },
    /** Takes every filter off, and goes to the first page. */
    clear: { ...cleared, current: 1 } as Partial<State>,
    isFiltered: (state: State) => names.some((name) => filters[name]!.write(held(state, name)) !== null),
    /** The filters alone. */
    filter: asked,
    toApi: (state: State) => ({
      current: state.current,
      pageSize: state.pageSize,
      sort: state.sort || undefined,
      ...asked(state),
    }),
  };
}
