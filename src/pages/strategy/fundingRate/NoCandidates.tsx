import { Button } from 'antd';
import type { DataOf } from '#contract/endpoint';
import type { fundingScan } from '#contract/kinds/fundingRate/scan';
import { EmptyState } from '@/components/EmptyState';
import type { Change } from '@/table/listQuery';
import { FILTER_WORDS } from './filterWords';
import { type FundingState, UNFILTERED, WITHOUT } from './fundingQuery';
import styles from './noCandidates.module.css';

interface NoCandidatesProps extends Pick<DataOf<typeof fundingScan.list>, 'all' | 'hidden'> {
  state: FundingState;
  change: Change<FundingState>;
}

/** Instead of the rows when no row passes: which filter keeps how many away, each with a way to take it off. */
export function NoCandidates({ all, hidden, state, change }: NoCandidatesProps) {
  if (hidden.length === 0) {
    return <EmptyState title="没有可比的币种" description="同一交易所要同时有现货与永续" />;
  }
  const take = (off: Partial<FundingState>) => change({ ...off, current: 1 });
  return (
    <EmptyState title="没有符合筛选的机会" description={`共 ${all} 个机会，每一条筛选各挡住：`}>
      <ul className={styles.hidden} aria-label="挡住机会的筛选">
        {hidden.map(({ filter, rows }) => {
          const words = FILTER_WORDS[filter](state);
          return (
            <li key={filter}>
              <span>{words}</span>
              <span className="figure">{rows} 个</span>
              <Button size="small" aria-label={`去掉 ${words}`} onClick={() => take(WITHOUT[filter])}>
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
