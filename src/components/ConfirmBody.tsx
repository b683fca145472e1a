import { Alert, Button, Input } from 'antd';
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { CallError, failureText } from '@/services/CallError';
import { modeLabel } from '@/services/modeLabel';
import { OFFLINE_REASON, useOfflineSince } from '@/services/offline';
import { WriteNames } from '@/services/WriteNames';
import styles from './ConfirmBody.module.css';
import { HoldButton } from './HoldButton';
import { late } from './late';
import type { RealMoneyAt } from './RealMoney';

const RealMoney = late(() => import('./RealMoney'));

export interface ConfirmedAction {
  verb: string;
  subject: string;
  /** What will happen, in words and figures. */
  consequence: ReactNode;
  /** It costs or moves money: the button has to be held. */
  money?: boolean;
  /** Where it moves real money, or may. */
  real?: RealMoneyAt;
  /** What the user types to confirm it, under the name that the server calls it by. */
  typed?: TypedText | undefined;
  /** What the button says that does nothing. */
  back?: string;
  /** What is to be confirmed is still being read. */
  waits?: boolean;
  /** What is chosen within the consequence: something else that is asked for has another key. */
  content?: unknown;
  /** Asks for a reason of at most so many characters. */
  reason?: { required: boolean; maxLength: number };
  /** The dialog shows the refusal as well. Tried again after no answer came, it has the same key. What answers `false` tells by itself. */
  run: (given: { reason: string; typed: string; idempotencyKey: string }) => Promise<unknown>;
}

export interface TypedText {
  /** What has to be typed, as far as this side knows. */
  hint: string;
}

/** Whoever typed on when the dialog came up has confirmed nothing. */
const swallowEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault();
};

/** What axios calls a request that nothing came back of. */
const NO_LINE = 'ERR_NETWORK';
const BACK = '连接已恢复，结果未知：请再试一次，同一操作不会执行两次';

interface ConfirmBodyProps {
  action: ConfirmedAction;
  onClose: () => void;
}

/** Consequence, reason and the two buttons of a confirmation. */
export default function ConfirmBody({
  action: { verb, consequence, money, real, typed, waits, content, reason, run, back = '返回' },
  onClose,
}: ConfirmBodyProps) {
  const [names] = useState(() => new WriteNames());
  const [text, setText] = useState('');
  const [word, setWord] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [running, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const field = useId();
  const offSince = useOfflineSince();
  const isOff = offSince !== undefined && money === true;
  /** Whether the last try found no line. */
  const isCut = useRef(false);
  useEffect(() => {
    if (offSince !== undefined || !isCut.current) return;
    isCut.current = false;
    setRefusal(BACK);
  }, [offSince]);
  const missing = reason?.required === true && text.trim() === '';
  const act = async () => {
    if (missing) return setRefusal('请输入原因');
    if (typed && word.trim() === '') return setWrong(`请输入 ${typed.hint}`);
    setWrong(undefined);
    setRunning(true);
    setRefusal(undefined);
    try {
      const reason = text.trim();
      const done = await names.run([reason, word, content], (idempotencyKey) =>
        run({ reason, typed: word.trim(), idempotencyKey }),
      );
      if (done === false) setRunning(false);
      else onClose();
    } catch (error) {
      isCut.current = error instanceof CallError && error.code === NO_LINE;
      const own = typed && error instanceof CallError ? error.fields.find(({ field }) => field === 'typed') : undefined;
      if (own) setWrong(own.message);
      else setRefusal(failureText(error, '没有完成，请重试'));
      setRunning(false);
    }
  };
  return (
    <div className={styles.body}>
      {(real || (real === undefined && money)) && (
        <Suspense fallback={null}>
          <RealMoney at={real} />
        </Suspense>
      )}
      <div>{consequence}</div>
      {reason && (
        <label htmlFor={field}>
          原因{reason.required ? '' : '（可不填）'}
          <Input
            id={field}
            value={text}
            maxLength={reason.maxLength}
            disabled={running}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      )}
      {typed && (
        <label htmlFor={`${field}-typed`}>
          输入 {typed.hint} 确认{modeLabel('live')}
          <Input
            id={`${field}-typed`}
            autoComplete="off"
            value={word}
            maxLength={64}
            disabled={running}
            status={wrong ? 'error' : ''}
            aria-describedby={wrong ? `${field}-wrong` : undefined}
            onChange={({ target }) => setWord(target.value)}
          />
          {wrong && (
            <span id={`${field}-wrong`} role="alert" className="wrong">
              {wrong}
            </span>
          )}
        </label>
      )}
      {isOff && <Alert type="warning" showIcon title={OFFLINE_REASON} />}
      {refusal && <Alert type="error" showIcon title={refusal} />}
      <div className={styles.buttons}>
        <Button onClick={onClose} disabled={running}>
          {back}
        </Button>
        {money ? (
          <HoldButton onHeld={act} loading={running} disabled={waits}>
            按住 1 秒：{verb}
          </HoldButton>
        ) : (
          <Button type="primary" loading={running} disabled={waits} onKeyDown={swallowEnter} onClick={act}>
            {verb}
          </Button>
        )}
      </div>
    </div>
  );
}
