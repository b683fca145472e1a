import { evaluate } from '#contract/evaluate';
import { symbol } from '#contract/symbol';
import { stateOf } from '@/components/useQueryState';
import { selectionQuery, toApi } from '@/pages/indicator/hedge/selectionQuery';
import { candleQuery, FIRST_CANDLES } from '@/pages/indicator/symbol/detail/candleQuery';
import { symbolOf } from '@/pages/indicator/symbol/detail/symbolAddress';
import { detailCodecs } from '@/pages/indicator/symbol/detail/useDetailState';
import { readAhead } from '@/services/read';
import { routeOf } from './routeOf';

interface Place {
  pathname: string;
  search: string;
}

/** What a screen reads first, by the path of its route. */
const READS: Record<string, (place: Place) => void> = {
  '/indicator/hedge': ({ search }) => {
    readAhead(evaluate.list, { query: toApi(stateOf(selectionQuery.codecs, new URLSearchParams(search))) });
  },
  '/indicator/symbol/detail/:symbol': ({ pathname, search }) => {
    const { source, bar, compare } = stateOf(detailCodecs, new URLSearchParams(search));
    const series = { source, symbol: symbolOf(pathname) };
    readAhead(symbol.detail, { query: series });
    readAhead(symbol.candle, { query: candleQuery({ ...series, bar, compare }, FIRST_CANDLES) });
  },
};

/** Asks for what the screen at this address reads first, while its scripts are still on their way. */
export const beginReads = (place: Place): void => READS[routeOf(place.pathname)?.path ?? '']?.(place);
