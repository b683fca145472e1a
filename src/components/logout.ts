import { history } from '@umijs/max';
import { session } from '#contract/session';
import { call } from '@/services/call';
import { signalSession } from '@/services/sessionSignal';

/** Signs out, in every tab of this browser. */
export async function logout(): Promise<void> {
  await call(session.logout, {});
  signalSession('signedOut', true);
  history.push('/login');
}
