import { Card, Tag } from 'antd';
import type { DataOf } from '#contract/endpoint';
import type { DueRow, opening, WaitingRow } from '#contract/opening';
import { Amount } from '@/components/Amount';
import { ErrorState } from '@/components/ErrorState';
import { MoneyButton } from '@/components/MoneyButton';
import { PairWarnings } from '@/components/PairWarnings';
import type { CallState } from '@/services/useCall';
import { confirmTargets } from '@/strategy/confirmArm';
import styles from './opening.module.css';
import { sidesText } from './openingLabels';
import { TargetName, WaitingList, Why } from './WaitingList';

type Row = DueRow | WaitingRow;

interface WaitingPanelProps {
  reading: CallState<DataOf<typeof opening.queue>>;
  /** What waits for the market alone is shown without being asked. */
  open: boolean;
  /** After something was done. */
  onDone: () => void;
}

const confirmOwn = (row: Row, done: () => void): void =>
  confirmTargets([{ ...row, id: row.targetId }], { verb: '确认开仓', subject: sidesText(row), mode: row.mode, done });

/** 等待建仓: what opens next, what waits for a person, and what for the market, and how near that is. */
export default function WaitingPanel({ reading, open, onDone }: WaitingPanelProps) {
  const { data, error, retry } = reading;
  const waiting = data?.waiting ?? [];
  const unconfirmed: Row[] = [
    ...(data?.due.filter((row) => row.unconfirmed) ?? []),
    ...waiting.filter((row) => row.unconfirmed),
  ];
  const next = data?.due.filter((row) => row.opens && !row.unconfirmed) ?? [];
  const others = waiting.filter((row) => !row.unconfirmed);
  const count = next.length + unconfirmed.length + (data ? data.waitingTotal - (waiting.length - others.length) : 0);
  const done = () => {
    void retry();
    onDone();
  };
  // Mostly nothing waits: what is below does not make room for that while it is read.
  if (count === 0 && (data || !error)) return null;
  return (
    <Card size="small" title={`等待建仓（${count}）`} className={styles.panel}>
      {error && !data && <ErrorState error={error} onRetry={() => void retry()} />}
      {next.length > 0 && (
        <section aria-label="接着开仓">
          <h3>接着开仓：下一轮就会开</h3>
          <ul className={styles.rows}>
            {next.map((row) => (
              <Item key={row.targetId} row={row} />
            ))}
          </ul>
        </section>
      )}
      {unconfirmed.length > 0 && (
        <section aria-label="待确认">
          <h3>待确认：没有人确认就不开</h3>
          <ul className={styles.rows}>
            {unconfirmed.map((row) => (
              <Item key={row.targetId} row={row}>
                <MoneyButton size="small" onClick={() => confirmOwn(row, done)}>
                  确认开仓
                </MoneyButton>
              </Item>
            ))}
          </ul>
        </section>
      )}
      <WaitingList rows={others} total={data ? data.waitingTotal - (waiting.length - others.length) : 0} open={open} />
    </Card>
  );
}

/** One target with what it would take, or what it waits for. */
function Item({ row, children }: { row: Row; children?: React.ReactNode }) {
  return (
    <li className={styles.row}>
      <div className={styles.name}>
        <TargetName row={row} />
        <PairWarnings warnings={row.warnings} />
        {row.unconfirmed && !('notional' in row) && <Tag>现在没有名额或保证金</Tag>}
      </div>
      <div className={styles.why}>
        {'notional' in row && (
          <div>
            名义 <Amount value={row.notional} unit="USDT" />
          </div>
        )}
        <Why row={row} />
      </div>
      {children}
    </li>
  );
}
