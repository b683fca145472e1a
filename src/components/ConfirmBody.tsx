import { Alert, Button, Input } from 'antd';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { failureText } from '@/services/CallError';
import { OFFLINE_REASON, useOfflineSince } from '@/services/offline';
import { WriteNames } from '@/services/WriteNames';
import styles from './ConfirmBody.module.css';
import { HoldButton } from './HoldButton';

export interface ConfirmedAction {
  verb: string;
  subject: string;
  /** What will happen, in words and figures. */
  consequence: ReactNode;
  /** It costs or moves money: the button has to be held. */
  money?: boolean;
  /** What the button says that does nothing. */
  back?: string;
  /** What is to be confirmed is still being read. */
  waits?: boolean;
  /** What is chosen within the consequence: something else that is asked for has another key. */
  content?: unknown;
  /** Asks for a reason of at most so many characters. */
  reason?: { required: boolean; maxLength: number };
  /** The dialog shows the refusal as well. Tried again after no answer came, it has the same key. What answers `false` tells by itself. */
  run: (given: { reason: string; idempotencyKey: string }) => Promise<unknown>;
}

/** Whoever typed on when the dialog came up has confirmed nothing. */
const swallowEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault();
};

interface ConfirmBodyProps {
  action: ConfirmedAction;
  onClose: () => void;
}

/** Consequence, reason and the two buttons of a confirmation. */
export default function ConfirmBody({
  action: { verb, consequence, money, waits, content, reason, run, back = '返回' },
  onClose,
}: ConfirmBodyProps) {
  const [names] = useState(() => new WriteNames());
  const [text, setText] = useState('');
  const [running, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const field = useId();
  const isOff = useOfflineSince() !== undefined && money === true;
  const missing = reason?.required === true && text.trim() === '';
  const act = async () => {
    if (missing) return setRefusal('请输入原因');
    setRunning(true);
    setRefusal(undefined);
    try {
      const reason = text.trim();
      const done = await names.run([reason, content], (idempotencyKey) => run({ reason, idempotencyKey }));
      if (done === false) setRunning(false);
      else onClose();
    } catch (error) {
      setRefusal(failureText(error, '没有完成，请重试'));
      setRunning(false);
    }
  };
  return (
    <div className={styles.body}>
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
