import { Card } from 'antd';
import type { BacktestResult } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { Explained } from '@/components/Explained';
import { hasUtcDays } from './hasUtcDays';
import styles from './index.module.css';
import { TILE_GROUPS, type Tile } from './tiles';

/** The summary as groups of tiles; each label tells formula, window and the time of its inputs. */
export function ResultTiles({ result }: { result: BacktestResult }) {
  const { start, end, summary } = result;
  const utc = hasUtcDays(result);
  const window = `${formatDateTime(start, 'day', utc)} 至 ${formatDateTime(end, 'day', utc)}，${summary.days.toFixed(1)} 天`;
  const inputAt = `截至 ${formatDateTime(end, 'minute', utc)} 收盘`;
  const tileOf = ({ label, formula, figure, detail }: Tile) => (
    <div key={label} className={styles.tile}>
      <dt>
        <Explained formula={formula} window={window} inputAt={inputAt}>
          {label}
        </Explained>
      </dt>
      <dd className={styles.figure}>{figure(result)}</dd>
      {detail && <dd className={styles.detail}>{detail(result)}</dd>}
    </div>
  );
  return TILE_GROUPS.map(({ title, tiles }) => (
    <Card key={title} size="small" title={title}>
      <dl className={styles.tiles} aria-label={title}>
        {tiles.map(tileOf)}
      </dl>
    </Card>
  ));
}
