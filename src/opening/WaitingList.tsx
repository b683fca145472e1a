import { Tag } from 'antd';
import type { DueRow, Gauge, WaitingRow } from '#contract/opening';
import { LiveTag } from '@/components/LiveTag';
import { PairWarnings } from '@/components/PairWarnings';
import { TARGET_BLOCK_LABEL } from '@/strategy/strategyLabels';
import styles from './opening.module.css';
import { farness, gaugeText, sidesText, strategyText, venuesText } from './openingLabels';

interface WaitingListProps {
  rows: readonly WaitingRow[];
  total: number;
  /** Shown without being asked. */
  open?: boolean;
}

/** What still waits, and for what: the nearest first. What nobody has confirmed is not opened by itself. */
export function WaitingList({ rows, total, open = false }: WaitingListProps) {
  const unconfirmed = rows.filter((row) => row.unconfirmed);
  const others = rows.filter((row) => !row.unconfirmed);
  return (
    <>
      <Waiting
        {...{ rows: others, total: total - unconfirmed.length, open }}
        title="还在等的"
        fate="条件满足后自动建仓"
      />
      <Waiting
        {...{ rows: unconfirmed, total: unconfirmed.length, open }}
        title="待确认的"
        fate="条件满足也不会自动开，由你逐个确认"
      />
    </>
  );
}

function Waiting({ rows, total, open, title, fate }: Required<WaitingListProps> & { title: string; fate: string }) {
  if (total === 0) return null;
  const sorted = [...rows].sort((a, b) => farness(a.gauge) - farness(b.gauge));
  return (
    <details className={styles.waiting} open={open}>
      <summary>
        {title} {total} 个：{fate}
      </summary>
      <ul className={styles.rows}>
        {sorted.map((row) => (
          <li key={row.targetId} className={styles.row}>
            <div className={styles.name}>
              <TargetName row={row} />
              <PairWarnings waits warnings={row.warnings} />
              {row.asks && !row.unconfirmed && <Tag>提示没有人认过：轮到时由你确认</Tag>}
            </div>
            <div className={styles.why}>
              <Why row={row} />
            </div>
          </li>
        ))}
      </ul>
      {total > rows.length && <p className="soft">只列出前 {rows.length} 个。</p>}
    </details>
  );
}

/** What would be opened, with real money or not, where and of which strategy. */
export const TargetName = ({ row, gauge }: { row: DueRow | WaitingRow; gauge?: Gauge | null }) => (
  <>
    <strong>{sidesText(row)}</strong> <LiveTag mode={row.mode} />
    <div className="basis">
      {venuesText(row)} · {strategyText(row)}
      {gauge && ` · ${gaugeText(gauge)}`}
    </div>
  </>
);

/** Why it does not open now, and how near it is to that. */
export function Why({ row }: { row: DueRow | WaitingRow }) {
  return (
    <>
      {'blocks' in row && <div>{row.blocks.map((block) => TARGET_BLOCK_LABEL[block]).join('、')}</div>}
      {row.gauge && <div className="basis">{gaugeText(row.gauge)}</div>}
    </>
  );
}
