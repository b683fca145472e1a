import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { mapYielding, nextTurn, smallCallCame, smallCallEnded } from '../../../server/base/work/loopTurns';

test('slices of long work have a turn of the event loop each', async () => {
  const seen: number[] = [];
  let turns = 0;
  let isOver = false;
  const count = async () => {
    while (!isOver) {
      await turnOfLoop();
      turns += 1;
    }
  };
  const counted = count();
  await Promise.all(Array.from({ length: 4 }, () => nextTurn().then(() => seen.push(turns))));
  isOver = true;
  await counted;
  expect(new Set(seen).size).toBe(4);
});

test('a slice waits for a small call that is under way', async () => {
  const call = {};
  const order: string[] = [];
  smallCallCame(call);
  const slice = nextTurn().then(() => order.push('slice'));
  await turnOfLoop();
  order.push('small call');
  smallCallEnded(call);
  await slice;
  expect(order).toEqual(['small call', 'slice']);
});

test('a call that does not end holds no slice up for good', async () => {
  smallCallCame({});
  await nextTurn();
  await nextTurn();
});

test('a list is worked through in its order, and others have their turn in between', async () => {
  let beats = 0;
  let isOver = false;
  const beat = async () => {
    while (!isOver) {
      await turnOfLoop();
      beats += 1;
    }
  };
  const beating = beat();
  const work = (one: number) => {
    const until = performance.now() + 6;
    while (performance.now() < until);
    return one * 2;
  };
  const done = await mapYielding([1, 2, 3, 4], work);
  const during = beats;
  isOver = true;
  await beating;
  expect(done).toEqual([2, 4, 6, 8]);
  expect(during).toBeGreaterThanOrEqual(3);
});
