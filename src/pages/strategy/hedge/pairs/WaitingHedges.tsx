import { Button } from 'antd';
import { hedge, type WaitingHedge } from '#contract/kinds/hedge/desk';
import type { PairBlock } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { Countdown } from '@/components/Countdown';
import { confirmAction } from '@/components/confirmAction';
import { formatNumber } from '@/components/formatNumber';
import { LiveTag } from '@/components/LiveTag';
import { PAIR_BLOCK_LABEL, sourceLabel } from '@/components/labels';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { sidesOf } from '../hedgeWords';
import styles from '../index.module.css';

const zText = (z: number) => formatNumber(z, { digits: 2 });

/** What opens a hedge that waits, and how far z is now. */
export const waitWords = (entryZ: number, z: number | null): string =>
  `等 z ≤ ${zText(-entryZ)}（现在 ${z === null ? '未知' : zText(z)}）`;

function confirmCancel(row: WaitingHedge, done: () => void): void {
  confirmAction({
    verb: '撤销等待',
    subject: sidesOf(row),
    consequence: '还没有开仓，也没有委托要撤；不再等 z。',
    run: async ({ idempotencyKey }) => {
      await call(hedge.cancelSingle, { body: { id: row.id } }, { idempotencyKey });
      toast.success('已撤销，没有开仓');
      done();
    },
  });
}

/** Why one came to nothing. */
const endWords = (refused: PairBlock): string =>
  refused === 'closedByHand' ? '已随全部平仓撤销' : `没有等到，已放弃：${PAIR_BLOCK_LABEL[refused]}`;

interface WaitingHedgesProps {
  list: readonly WaitingHedge[];
  refresh: () => void;
}

/** Single hedges that wait for their z, and those of the last day that did not come to it. */
export default function WaitingHedges({ list, refresh }: WaitingHedgesProps) {
  return (
    <section className={`card ${styles.waits}`} aria-label="等待中的单笔">
      {list.map((row) => (
        <div key={row.id} className={styles.wait}>
          <strong>{sidesOf(row)}</strong>
          <LiveTag mode={row.mode} />
          <span className="soft">{sourceLabel(row.source)}</span>
          <span>
            每腿 <Amount value={row.legNotional} digits={0} unit="USDT" />
          </span>
          {row.refused === null ? (
            <>
              <span className="figure">{waitWords(row.entryZ, row.z)}</span>
              <span className="soft">
                还剩 <Countdown to={row.until} />
              </span>
              {row.block !== null && row.block !== 'waitsForZ' && (
                <span className="warning">现在不会开仓：{PAIR_BLOCK_LABEL[row.block]}</span>
              )}
              <Button size="small" danger onClick={() => confirmCancel(row, refresh)}>
                撤销
              </Button>
            </>
          ) : (
            <span className="soft">{endWords(row.refused)}</span>
          )}
        </div>
      ))}
    </section>
  );
}
