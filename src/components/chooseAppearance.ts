import { user } from '#contract/user';
import { call } from '@/services/call';
import { setAppearance } from './useAppearance';

/** Changes a habit here, and for who is signed in on every device. The theme is each browser's own. */
export function chooseAppearance(change: Parameters<typeof setAppearance>[0], signedIn: boolean): void {
  setAppearance(change);
  const { theme: _theme, ...habits } = change;
  // The call says what went wrong; here the change holds all the same.
  if (signedIn && Object.keys(habits).length > 0) call(user.setPreference, { body: habits }).catch(() => {});
}
