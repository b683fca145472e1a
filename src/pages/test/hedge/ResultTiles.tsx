import { Card } from 'antd';
import type { BacktestResult } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { hasUtcDays } from './hasUtcDays';
import { TILE_GROUPS } from './tiles';

/** The summary as groups of tiles. */
export function ResultTiles({ result }: { result: BacktestResult }) {
  const { start, end, summary } = result;
  const utc = hasUtcDays(result);
  const window = `${formatDateTime(start, 'day', utc)} 至 ${formatDateTime(end, 'day', utc)}，${summary.days.toFixed(1)} 天`;
  const inputAt = `截至 ${formatDateTime(end, 'minute', utc)} 收盘`;
  return TILE_GROUPS.map(({ title, tiles }) => {
    const shown = tiles.map(({ label, formula, figure, detail }) => {
      return { label, formula, window, figure: figure(result), detail: detail?.(result) };
    });
    return (
      <Card key={title} size="small" title={title}>
        <FigureTiles label={title} tiles={shown} inputAt={inputAt} />
      </Card>
    );
  });
}
