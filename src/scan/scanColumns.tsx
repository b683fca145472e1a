import { Button, Tag, Tooltip } from 'antd';
import type { Static, TObject } from 'typebox';
import type { Obstacle } from '#contract/scan';
import { MoneyButton } from '@/components/MoneyButton';
import { type Column, drawnFrom } from '@/table/column';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import { feasibilityWords, ObstacleTags } from './ObstacleTags';
import styles from './scan.module.css';

/** What every row of a scanner has. */
export interface ScanRow {
  id: string;
  base: string;
  obstacles: Obstacle[];
  /** Its replays are still being worked out. */
  replaying?: boolean;
  /** Where of its places the reader has no account yet; told in the browser, the market is the same for all. */
  lacking?: string;
}

interface ScanColumnsOptions<R> {
  /** The coin, leading to its screen. */
  coin: Column<R>;
  deciding: readonly string[];
  own?: readonly OwnColumn<R>[];
  /** Makes a strategy of a row. */
  plan: (row: R) => void;
  /** Opens one deal of a row; of kinds that have a ticket. */
  open?: ((row: R) => void) | undefined;
  /** Why a row that is still being worked out is not judged yet. */
  pending?: (row: R) => string | undefined;
}

/** When what follows the market was read. */
export const LIVE = '最新行情；半分钟没有操作后每 4 秒读一次';
const PENDING = '计算中';

/** Whether a row can be acted on now, and what stands in the way. */
const obstaclesColumn = <R extends ScanRow>(pending: (row: R) => string | undefined): Column<R> => ({
  key: 'obstacles',
  title: '可行性',
  width: 118,
  render: drawnFrom(
    (row) => ({ reason: pending(row), obstacles: row.obstacles, lacking: row.lacking }),
    ({ reason, ...shown }) => {
      if (reason === undefined) return <ObstacleTags {...shown} />;
      return (
        <Tooltip title={reason}>
          <Tag>{PENDING}</Tag>
        </Tooltip>
      );
    },
  ),
  csv: (row) => (pending(row) === undefined ? feasibilityWords(row).join(' ') : PENDING),
});

/** What stands in place of a figure that is still being worked out. */
const Pending = ({ reason }: { reason: string }) => (
  <Tooltip title={reason}>
    <span className="missing">{PENDING}</span>
  </Tooltip>
);

const REPLAYED = ['replay7', 'replay30'];
const READS_PAST = '正在读取那时的盘口与结算，算出后自动出现';

/** A replay that is not there yet is told apart from one that cannot be. */
const untilReplayed = <R extends ScanRow>(column: Column<R>): Column<R> => {
  if (!REPLAYED.includes(column.key)) return column;
  const draw = (row: R) => (row.replaying ? <Pending reason={READS_PAST} /> : column.render(row));
  const { reads } = column.render;
  return { ...column, render: reads ? Object.assign(draw, { reads: (row: R) => [row.replaying, reads(row)] }) : draw };
};

/** One click from a row to the filled drawer of a strategy, or to the ticket of one deal. */
const planColumn = <R extends ScanRow>(plan: (row: R) => void, open?: (row: R) => void): Column<R> => ({
  key: 'plan',
  title: '操作',
  width: open ? 152 : 96,
  fixed: 'right',
  render: drawnFrom(
    ({ id, obstacles }) => ({ id, mayOpen: obstacles.length === 0 }),
    ({ id, mayOpen }, now) => (
      <span className={styles.tags}>
        {open && (
          <MoneyButton size="small" aria-label={`开一笔 ${id}`} disabled={!mayOpen} onClick={() => open(now())}>
            开一笔
          </MoneyButton>
        )}
        <Button size="small" aria-label={`用 ${id} 新建策略`} onClick={() => plan(now())}>
          新建策略
        </Button>
      </span>
    ),
  ),
});

/** A scanner's columns: the coin, what decides, the rest of the row's schema, and the way to a strategy. */
export const scanColumns = <S extends TObject>(
  row: S,
  { coin, deciding, own = [], plan, open, pending = () => undefined }: ScanColumnsOptions<Static<S> & ScanRow>,
): Column<Static<S> & ScanRow>[] => {
  type R = Static<S> & ScanRow;
  const made = schemaColumns(row, {
    inputAt: LIVE,
    deciding: ['base', ...deciding, 'obstacles'],
    own: [coin, obstaclesColumn<R>(pending), ...own] as OwnColumn<Static<S>>[],
  }) as Column<R>[];
  return [...made.map(untilReplayed), planColumn<R>(plan, open)];
};
