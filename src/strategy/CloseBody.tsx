import { Alert } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { type OpeningAct, opening } from '#contract/opening';
import { ConfirmBody, type ConfirmedAction } from '@/components/ConfirmBody';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import { AfterClose } from './AfterClose';
import styles from './strategy.module.css';

const FreedList = late(() => import('@/opening/FreedList'));

const REFRESH_MS = 8_000;

export interface ClosedDeal {
  id: string;
  /** What its target is called: 交易对 or 标的. */
  what: string;
  /** It is opened again by itself where it stays armed. */
  reopens: boolean;
  act: OpeningAct & `close${string}`;
  subject: string;
  /** What closing it costs. */
  consequence: ReactNode;
  run: (given: { keepArmed: boolean; idempotencyKey: string }) => ReturnType<ConfirmedAction['run']>;
}

/** What becomes of a deal that a person closes, of its target, and what comes into its place. */
export function CloseBody({ deal, onClose }: { deal: ClosedDeal; onClose: () => void }) {
  const { id, what, reopens, act, subject, consequence, run } = deal;
  const [keepArmed, keep] = useState(false);
  const body = { act, input: { id, ...(keepArmed && { keepArmed }) } };
  // That nobody knows what follows is no reason not to close.
  const { data, error } = useCall(opening.preview, { body }, { refreshInterval: REFRESH_MS, quiet: () => true });
  return (
    <ConfirmBody
      action={{
        verb: '平仓',
        subject,
        consequence: (
          <div className={styles.close}>
            {consequence}
            <AfterClose what={what} reopens={reopens} onChoose={keep} />
            <Suspense fallback={null}>{data && data.due.length > 0 && <FreedList rows={data.due} />}</Suspense>
            {keepArmed && !data && error && (
              <Alert type="warning" showIcon title={`读不到平掉之后会开的标的：${error.text}`} />
            )}
          </div>
        ),
        money: true,
        waits: keepArmed && data === undefined && error === undefined,
        run: ({ idempotencyKey }) => run({ keepArmed, idempotencyKey }),
      }}
      onClose={onClose}
    />
  );
}
