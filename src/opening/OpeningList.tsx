import { Checkbox, Tag } from 'antd';
import type { DueRow } from '#contract/opening';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { PairWarnings } from '@/components/PairWarnings';
import { isOneInstrument } from '@/strategy/legText';
import styles from './opening.module.css';
import { sidesText } from './openingLabels';
import { TargetName } from './WaitingList';

interface OpeningListProps {
  rows: readonly DueRow[];
  /** Came up since the list was first read. */
  isNew: (row: DueRow) => boolean;
  open: ReadonlySet<string>;
  /** When they were read, UTC ms. */
  at: number;
  onChange: (ids: string[], isOpen: boolean) => void;
}

const THIN = '盘口装不下这个数量';

const total = (rows: readonly DueRow[], figure: (row: DueRow) => number | null): number | null =>
  rows.reduce<number | null>((sum, row) => {
    const part = figure(row);
    return sum === null || part === null ? null : sum + part;
  }, 0);

const costOf = ({ fees, slippage }: DueRow) => (fees === null || slippage === null ? null : fees + slippage);

/** What would open, each to be ticked, and what the ticked ones come to. */
export function OpeningList({ rows, isNew, open, at, onChange }: OpeningListProps) {
  if (rows.length === 0) return <p className="soft">按现在的行情与账户，没有标的会马上开仓。</p>;
  const ticked = rows.filter(({ targetId }) => open.has(targetId));
  const ids = rows.map(({ targetId }) => targetId);
  return (
    <section aria-label="将要开仓">
      <div className={styles.head}>
        <Checkbox
          checked={ticked.length === rows.length}
          indeterminate={ticked.length > 0 && ticked.length < rows.length}
          onChange={({ target }) => onChange(ids, target.checked)}
        >
          将要开仓 {ticked.length} / {rows.length}
        </Checkbox>
        <span className="soft">
          按 <DateTime value={at} precision="second" /> 的行情试算，没有勾选的转为待确认
        </span>
      </div>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <OpeningRow
            key={row.targetId}
            row={row}
            isNew={isNew(row)}
            isOpen={open.has(row.targetId)}
            onChange={(isOpen) => onChange([row.targetId], isOpen)}
          />
        ))}
      </ul>
      <Sums rows={ticked} />
    </section>
  );
}

interface OpeningRowProps {
  row: DueRow;
  isNew?: boolean;
  isOpen?: boolean;
  /** Without it nothing is to be chosen. */
  onChange?: (isOpen: boolean) => void;
}

/** One target with what opening it takes. */
export function OpeningRow({ row, isNew = false, isOpen = false, onChange }: OpeningRowProps) {
  const { notional, capital, warnings, unconfirmed, isStock, gauge } = row;
  return (
    <li className={styles.row}>
      {onChange && (
        <Checkbox
          aria-label={`开仓 ${sidesText(row)}`}
          checked={isOpen}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
      <div className={styles.name}>
        <TargetName row={row} gauge={gauge} />
        <div>
          <PairWarnings warnings={warnings} />
          {unconfirmed && <Tag color="warning">待确认</Tag>}
          {isNew && <Tag>刚满足条件</Tag>}
          {isStock && <Tag>{isOneInstrument(row) ? '对冲库存' : '补库存'}</Tag>}
        </div>
      </div>
      <dl className={styles.figures}>
        <Figure label="名义" value={notional} />
        <Figure label="需要余额" value={capital} />
        <Figure label="开仓成本" value={costOf(row)} reason={THIN} />
      </dl>
    </li>
  );
}

function Figure({ label, value, reason }: { label: string; value: number | null; reason?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Amount value={value} money {...(reason && { reason })} />
      </dd>
    </div>
  );
}

/** What targets come to together. */
export function Sums({ rows }: { rows: readonly DueRow[] }) {
  // A loss, which is negative wherever it is told.
  const worst = total(rows, (row) => row.worst && -row.worst);
  return (
    <div className={styles.sums} role="status" aria-label="合计">
      <dl className={styles.figures}>
        <div>
          <dt>开仓</dt>
          <dd className="figure">{rows.length} 个</dd>
        </div>
        <Figure label="名义合计 USDT" value={total(rows, ({ notional }) => notional)} />
        <Figure label="需要余额合计" value={total(rows, ({ capital }) => capital)} />
        <Figure label="手续费" value={total(rows, ({ fees }) => fees)} reason={THIN} />
        <Figure label="滑点" value={total(rows, ({ slippage }) => slippage)} reason={THIN} />
        <Figure label="最坏情况" value={worst} reason="有的没有设止损" />
      </dl>
    </div>
  );
}
