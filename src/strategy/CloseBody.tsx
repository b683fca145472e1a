import { Alert, Segmented } from 'antd';
import { Suspense, useState } from 'react';
import type { PartClose } from '#contract/closeQuote';
import { SECOND_MS } from '#contract/duration';
import type { DataOf } from '#contract/endpoint';
import { hedge } from '#contract/kinds/hedge/desk';
import { ONE_LEG_MS, PEG_MS, REST_MS } from '#contract/lifecycle';
import { type OpeningAct, opening } from '#contract/opening';
import { strategies } from '#contract/strategies';
import ConfirmBody, { type ConfirmedAction } from '@/components/ConfirmBody';
import { late } from '@/components/late';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { type CallState, useCall } from '@/services/useCall';
import { AfterClose, type Afterwards } from './AfterClose';
import { CloseQuotation, isOver, stayingWords, useCloseQuote } from './CloseQuotation';
import styles from './strategy.module.css';

const FreedList = late(() => import('@/opening/FreedList'));

const REFRESH_MS = 8_000;
const ALL = 100;
const PARTS = [25, 50, 75, ALL];

export interface ClosedDeal {
  id: string;
  /** A hedge has calls of its own. */
  kind: '对冲单' | '交易单';
  /** What its target is called: 交易对 or 标的. */
  what: string;
  afterwards: Afterwards;
  /** It holds two legs against each other: a part of both may be closed, and they may rest on their way out. */
  isPair: boolean;
  act: OpeningAct & `close${string}`;
  subject: string;
  real: ConfirmedAction['real'];
  /** How all of it is closed at the market. */
  how: string;
  done: () => void;
  /** Closes all of it. @param given what stays all the same, in words to add to the answer's; empty where nothing does */
  run: (given: {
    keepArmed: boolean;
    maker: boolean;
    idempotencyKey: string;
    staying: string;
  }) => ReturnType<ConfirmedAction['run']>;
}

const RESTS = `两腿先在本方最优价挂单，每 ${PEG_MS / SECOND_MS} 秒重挂；${REST_MS / SECOND_MS} 秒后没成交的按市价平。一腿先成交、另一腿落后超过 ${ONE_LEG_MS / SECOND_MS} 秒，其余立即按市价平。下面按全部挂成估算。`;

/** What opens once all of it is closed, and why that cannot be read where it goes on. */
function ComesNext({
  next: { data, error },
  keepArmed,
}: {
  next: CallState<DataOf<typeof opening.preview>>;
  keepArmed: boolean;
}) {
  if (data === undefined) {
    return keepArmed && error && <Alert type="warning" showIcon title={`读不到平掉之后会开的标的：${error.text}`} />;
  }
  return <Suspense fallback={null}>{data.due.length > 0 && <FreedList rows={data.due} />}</Suspense>;
}

/** What becomes of a deal of which a person closes all or a part, of its target, and what comes into its place. */
export default function CloseBody({ deal, onClose }: { deal: ClosedDeal; onClose: () => void }) {
  const { id, kind, what, afterwards, isPair, act, subject, real, how, done, run } = deal;
  const [keepArmed, keep] = useState(false);
  const [percent, take] = useState(ALL);
  const [maker, rest] = useState(false);
  // A write whose answer was lost is asked for again as it was, whatever is held by now.
  const [asked] = useState(() => new Map<string, PartClose>());
  const isPart = percent < ALL;
  const body = { act, input: { id, ...(keepArmed && { keepArmed }) } };
  // That nobody knows what follows is no reason not to close.
  const next = useCall(opening.preview, isPart ? null : { body }, { refreshInterval: REFRESH_MS, quiet: () => true });
  const quote = useCloseQuote(kind, { id, percent, maker });
  const { data: quoted } = quote;
  const shown = quoted?.percent === percent && quoted.maker === maker ? quoted : undefined;
  const reduce: ConfirmedAction['run'] = async ({ idempotencyKey }) => {
    if (shown === undefined) return false;
    const body = asked.get(idempotencyKey) ?? { id, percent, maker, held: shown.held };
    asked.set(idempotencyKey, body);
    await call(kind === '对冲单' ? hedge.reduce : strategies.reduceDeal, { body }, { idempotencyKey });
    toast.info(`正在平掉持有的 ${percent}%，其余照常看护`);
    done();
  };
  const over = isOver(quote);
  const refusal = shown?.refusal ?? null;
  const words = isPart ? `撤掉挂单，两腿一起平掉持有的 ${percent}%，其余照常看护，止损与止盈仍按开仓总名义。` : how;
  return (
    <ConfirmBody
      action={{
        verb: isPart ? `平仓 ${percent}%` : '平仓',
        subject,
        real,
        content: { percent, maker, keepArmed },
        consequence: over ? (
          <Alert type="info" showIcon title={`这张${kind}刚刚结束，没有要平的了`} />
        ) : (
          <div className={styles.close}>
            {isPair && (
              <div className={styles.part}>
                <Segmented
                  aria-label="平多少"
                  options={PARTS.map((part) => ({ value: part, label: `${part}%` }))}
                  value={percent}
                  onChange={(part) => {
                    take(part);
                    keep(false);
                  }}
                />
                <Segmented
                  aria-label="怎样平"
                  options={[
                    { value: false, label: '市价' },
                    { value: true, label: '挂单' },
                  ]}
                  value={maker}
                  onChange={rest}
                />
                {refusal && <Alert type="error" showIcon title={refusal} />}
              </div>
            )}
            {!isPart && <AfterClose what={what} afterwards={afterwards} onChoose={keep} />}
            <CloseQuotation quote={quote} kind={kind} how={maker ? `${isPart ? words : ''}${RESTS}` : words} />
            <ComesNext next={next} keepArmed={keepArmed} />
          </div>
        ),
        money: true,
        waits:
          over ||
          refusal !== null ||
          (isPart ? shown === undefined : keepArmed && next.data === undefined && next.error === undefined),
        run: isPart
          ? reduce
          : ({ idempotencyKey }) => run({ keepArmed, maker, idempotencyKey, staying: stayingWords(shown) }),
      }}
      onClose={onClose}
    />
  );
}
