import type { DataOf } from '#contract/endpoint';
import { type evaluate, VISITOR_ROWS } from '#contract/evaluate';
import { DateTime } from '@/components/DateTime';
import { SourceSelect } from '@/components/SourceSelect';
import styles from './index.module.css';
import { PriceStatus } from './PriceStatus';

interface SelectionHeadProps {
  source: string;
  data: DataOf<typeof evaluate.list> | undefined;
  onSource: (source: string) => void;
}

/** What the ranking is based on: the source, the day, how fresh the prices are. */
export function SelectionHead({ source, data, onSource }: SelectionHeadProps) {
  return (
    <header className={styles.head}>
      <h1>中性选币</h1>
      <SourceSelect value={source} onChange={onSource} />
      {data && (
        <span className="missing">
          排名截至 <DateTime utc value={data.asOf} reason="没有可用的日线" /> UTC · {data.ranked} 个币种参与排名
          {data.delayed && data.ranked > VISITOR_ROWS && `，访客只见前 ${VISITOR_ROWS} 名`}
        </span>
      )}
      <PriceStatus />
    </header>
  );
}
