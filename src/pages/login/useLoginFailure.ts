import type { FormInstance } from 'antd';
import { useEffect, useState } from 'react';
import { REFUSALS } from '#contract/codes';
import type { Credentials } from '#contract/session';
import { CallError } from '@/services/CallError';

/** Seconds to wait: from the header, else from the sentence itself. */
const waitOf = ({ retryAfter, message }: CallError): number =>
  retryAfter ?? Number(/(\d+)\s*秒/.exec(message)?.[1] ?? 0);

/** A clock that counts whole seconds down to 0. */
function useCountdown(): [number, (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (endsAt === 0) return;
    const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  return [left, (seconds) => setEndsAt(Date.now() + seconds * 1000)];
}

/** Runs a login and shows at the form why it failed: which field, how long it is locked, or that a second step follows. */
export function useLoginFailure(form: FormInstance<Credentials>) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState(0);
  const [asksCode, setAsksCode] = useState(false);
  const [lockedFor, lock] = useCountdown();

  // The field takes the focus again only once the form is enabled.
  useEffect(() => {
    if (refused > 0) form.getFieldInstance('password')?.focus({ cursor: 'all' });
  }, [refused, form]);

  const explain = (error: CallError) => {
    if (error.code === 429) lock(waitOf(error));
    if (error.code === REFUSALS.secondFactorNeeded.code) return setAsksCode(true);
    if (error.code === REFUSALS.wrongPassword.code) {
      form.setFields([{ name: 'password', errors: ['请检查用户名，并重新输入密码'] }]);
      setRefused((count) => count + 1);
    }
    form.setFields(error.fields.map(({ field, message }) => ({ name: field as keyof Credentials, errors: [message] })));
  };
  const attempt = async (login: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await login();
    } catch (error) {
      if (error instanceof CallError) explain(error);
    } finally {
      setBusy(false);
    }
  };
  return { lockedFor, busy, asksCode, attempt };
}
