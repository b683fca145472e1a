import { act, fireEvent, renderHook } from '@testing-library/react';
import { star } from '#contract/star';
import { useCall } from '@/services/useCall';
import { openConsole, screen, sentTo } from '../support/webConsole';

const reads = () => sentTo(star.list).length;
const realTimeout = setTimeout;

/** Time passes; what is asked of the network meanwhile is answered. */
async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => realTimeout(resolve, 0));
  }
}

async function readsIn(seconds: number): Promise<number> {
  const before = reads();
  await pass(seconds);
  return reads() - before;
}

afterEach(() => jest.useRealTimers());

test('a tab that nobody touches reads less often, and as often as before once it is touched', async () => {
  // The console says how calls are made.
  openConsole('/login');
  await screen.findByLabelText('用户名');
  jest.useFakeTimers({ advanceTimers: false });
  const options = { refreshInterval: 2_000, untouchedInterval: 5_000 };
  const { unmount } = renderHook(() => useCall(star.list, {}, options));
  fireEvent.keyDown(window, { key: 'a' });
  await pass(2);
  const touched = await readsIn(20);
  await pass(20);
  const untouched = await readsIn(20);
  fireEvent.pointerMove(window);
  await pass(5);
  const again = await readsIn(20);
  unmount();
  expect(touched).toBeGreaterThan(1.5 * untouched);
  expect(untouched).toBeGreaterThan(0);
  expect(again).toBe(touched);
});
