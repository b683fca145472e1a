import { Button } from 'antd';
import type { DataOf } from '#contract/endpoint';
import { FUNDING_FILTERS, type FundingFilter, type fundingScan } from '#contract/kinds/fundingRate/scan';
import { EmptyState } from '@/components/EmptyState';
import type { Change } from '@/table/listQuery';
import { type FilterState, filterWords } from '@/table/schemaFilters';
import styles from './noCandidates.module.css';

type State = FilterState<typeof FUNDING_FILTERS> & { search: string; current: number };

const without = (filter: FundingFilter): Partial<State> => ({ [filter]: filter === 'search' ? '' : null });
const UNFILTERED: Partial<State> = Object.assign(
  without('search'),
  ...(Object.keys(FUNDING_FILTERS) as FundingFilter[]).map(without),
);

const wordsOf = (filter: FundingFilter, state: State): string =>
  filter === 'search' ? `币种含「${state.search.trim()}」` : filterWords(FUNDING_FILTERS[filter], state[filter]);

interface NoCandidatesProps extends Pick<DataOf<typeof fundingScan.list>, 'all' | 'hidden'> {
  state: State;
  change: Change<State>;
}

/** Instead of the rows when no row passes: which filter keeps how many away, each with a way to take it off. */
export function NoCandidates({ all, hidden, state, change }: NoCandidatesProps) {
  if (hidden.length === 0) {
    return <EmptyState title="没有可比的币种" description="同一交易所要同时有现货与永续" />;
  }
  const take = (off: Partial<State>) => change({ ...off, current: 1 });
  return (
    <EmptyState title="没有符合筛选的机会" description={`共 ${all} 个机会，每一条筛选各挡住：`}>
      <ul className={styles.hidden} aria-label="挡住机会的筛选">
        {hidden.map(({ filter, rows }) => {
          const words = wordsOf(filter, state);
          return (
            <li key={filter}>
              <span>{words}</span>
              <span className="figure">{rows} 个</span>
              <Button size="small" aria-label={`去掉 ${words}`} onClick={() => take(without(filter))}>
                去掉
              </Button>
            </li>
          );
        })}
      </ul>
      <Button onClick={() => take(UNFILTERED)}>全部去掉</Button>
    </EmptyState>
  );
}
