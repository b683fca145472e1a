import { Alert, Checkbox, Skeleton } from 'antd';
import { type ReactNode, useState } from 'react';
import type { PairBlock } from '#contract/lifecycle';
import { type DueRow, type OpeningAct, type Openings, opening } from '#contract/opening';
import ConfirmBody, { type ConfirmedAction } from '@/components/ConfirmBody';
import { GUARD_WAY_BACK, isGuard } from '@/components/labels';
import { OutsideMet } from '@/components/OutsideMet';
import type { CallError } from '@/services/CallError';
import { useCall } from '@/services/useCall';
import { WriteNames } from '@/services/WriteNames';
import { TARGET_BLOCK_LABEL } from '@/strategy/strategyLabels';
import { OpeningList } from './OpeningList';
import styles from './opening.module.css';
import { WaitingList } from './WaitingList';

/** What was chosen, and what it means, for the toast. */
export interface Chosen {
  reason: string;
  /** What was typed to confirm real money. */
  typed: string;
  idempotencyKey: string;
  /** What goes into the body of the call: ids of the targets that are to open, and how far the book was when they were shown. */
  opens: { open: string[]; openSeen?: number };
  /** What now happens, in words. */
  words: string;
}

/** What is ticked first, by which the call goes. */
export interface Choose {
  label: string;
  options: { value: string; label: ReactNode }[];
  /** Ticked to begin with. */
  chosen: readonly string[];
  /** What is said where nothing is ticked; absent where that will do. */
  least?: string;
}

export interface OpeningAction
  extends Pick<ConfirmedAction, 'verb' | 'subject' | 'reason' | 'back' | 'real' | 'typed'> {
  /** Of the dialog, where verb and subject side by side do not say it. */
  title?: string;
  /** What it does beside opening. */
  consequence?: ReactNode;
  choose?: Choose | undefined;
  act: OpeningAct;
  /** The body of its call, without what is asked for here. */
  input: object | ((picked: string[]) => object);
  run: (chosen: Chosen, picked: string[]) => Promise<unknown>;
}

/** Prices move: what would open is read again. */
const REFRESH_MS = 8_000;

const isTicked = (row: DueRow, chosen: ReadonlyMap<string, boolean>, first: ReadonlySet<string>): boolean =>
  // What came up while somebody read is nobody's choice yet.
  chosen.get(row.targetId) ?? (row.opens && first.has(row.targetId));

/** What an act would open, what of it is to open, and the buttons. */
export default function OpeningBody({ action, onClose }: { action: OpeningAction; onClose: () => void }) {
  const { verb, subject, consequence, choose, act, input, reason, run, back, real, typed } = action;
  const [picked, setPicked] = useState<string[]>([...(choose?.chosen ?? [])]);
  const isLacking = choose?.least !== undefined && picked.length === 0;
  const asked = typeof input === 'function' ? input(picked) : input;
  const body = { act, input: reason?.required ? { ...asked, reason: verb } : asked };
  const { data, error, isLoading, retry } = useCall(opening.preview, isLacking ? null : { body }, {
    refreshInterval: REFRESH_MS,
    // It stands in the dialog.
    quiet: () => true,
  });
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [first, setFirst] = useState<ReadonlySet<string>>();
  const [names] = useState(() => new WriteNames());
  const pick = (values: string[]) => {
    setPicked(values);
    // What would open by another choice is looked at afresh.
    setFirst(undefined);
    setChosen(new Map());
  };
  if (data && first === undefined) setFirst(new Set(data.due.map(({ targetId }) => targetId)));
  const due = data?.due ?? [];
  const known = first ?? new Set(due.map(({ targetId }) => targetId));
  const open = due.filter((row) => isTicked(row, chosen, known)).map(({ targetId }) => targetId);
  const left = due.length - open.length;
  const words = [
    open.length > 0 && `${open.length} 个标的正在开仓`,
    left > 0 && `${left} 个待确认`,
    open.length + left === 0 && '现在没有标的开仓',
  ].filter(Boolean);
  return (
    <ConfirmBody
      action={{
        verb: open.length > 0 ? `${verb}并开仓 ${open.length} 个` : verb,
        subject,
        ...(back && { back }),
        ...{ real, typed },
        consequence: (
          <div className={styles.body}>
            {consequence}
            {choose && <Choice choose={choose} picked={picked} onPick={pick} />}
            {error && !data && <Unforeseen verb={verb} error={error} onRetry={() => void retry()} />}
            {isLoading && !data && <Skeleton active paragraph={{ rows: 3 }} aria-label="正在试算将要开仓的标的" />}
            {data && (
              <>
                <OpeningList
                  rows={due}
                  isNew={({ targetId }) => !known.has(targetId)}
                  open={new Set(open)}
                  at={data.at}
                  onChange={(ids, isOpen) => setChosen(new Map([...chosen, ...ids.map((id) => [id, isOpen] as const)]))}
                />
                <OutsideMet rows={due} />
                <StillBlocked {...data} />
                <WaitingList rows={data.waiting} total={data.waitingTotal} open={due.length === 0} />
              </>
            )}
          </div>
        ),
        money: open.length > 0,
        // Where nobody knows what would open it may be done; what would be refused may not.
        waits: isLacking || (data === undefined && error?.failed !== true),
        reason,
        run: async (given) => {
          try {
            const opens = { open, ...(data && { openSeen: data.revision }) };
            // Tried again with another list it is another call: by the first one's name it would be refused.
            return await names.run([given.reason, given.typed, picked, opens], (idempotencyKey) =>
              run({ ...given, idempotencyKey, opens, words: words.join('，') }, picked),
            );
          } catch (error) {
            void retry();
            throw error;
          }
        },
      }}
      onClose={onClose}
    />
  );
}

interface UnforeseenProps {
  verb: string;
  error: CallError;
  onRetry: () => void;
}

/** That what would open cannot be told, or that the act would be refused, and what that means. */
const Unforeseen = ({ verb, error, onRetry }: UnforeseenProps) => (
  <Alert
    type="warning"
    showIcon
    {...(error.failed
      ? {
          title: `读不到将要开仓的标的：${error.text}`,
          description: '现在继续的话，会开仓的都转为待确认，由你逐个确认。',
        }
      : { title: `现在不能${verb}：${error.text}` })}
    action={
      <button type="button" className={styles.retry} onClick={onRetry}>
        重试
      </button>
    }
  />
);

interface ChoiceProps {
  choose: Choose;
  picked: string[];
  onPick: (values: string[]) => void;
}

function Choice({ choose: { label, options, least }, picked, onPick }: ChoiceProps) {
  return (
    <>
      <Checkbox.Group aria-label={label} className={styles.choose} options={options} value={picked} onChange={onPick} />
      {picked.length === 0 && least && <p className="soft">{least}</p>}
    </>
  );
}

/** What keeps whole accounts and strategies from opening once it is done, each with its way back, and what a person closed. */
function StillBlocked({ waiting, closed }: Pick<Openings, 'waiting' | 'closed'>) {
  const counts = new Map<PairBlock, number>();
  for (const { blocks } of waiting) {
    for (const block of blocks) if (isGuard(block)) counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return (
    <>
      {counts.size > 0 && (
        <Alert
          type="warning"
          showIcon
          title="做完之后，这些仍然挡着开仓："
          description={[...counts].map(([block, count]) => (
            <div key={block}>
              {TARGET_BLOCK_LABEL[block]}（{count} 个标的）{isGuard(block) && `：${GUARD_WAY_BACK[block]}`}
            </div>
          ))}
        />
      )}
      {closed > 0 && <p className="soft">另有 {closed} 个已手动平仓的标的不会开，要开请点「重新启用」。</p>}
    </>
  );
}
