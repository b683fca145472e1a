import type { SCREENS } from '#contract/screen';

type Screen = (typeof SCREENS)[number];

/** The letter after `g` that leads to a screen. Nothing here acts: keys only lead to where something can be done. */
export const GO_KEYS: Record<string, Screen> = {
  a: '/',
  h: '/strategy/hedge',
  s: '/indicator/hedge',
  b: '/test/hedge',
  o: '/strategy/order',
  v: '/strategy/overview',
  t: '/indicator/static',
  f: '/strategy/fundingRate',
  p: '/strategy/spread',
  c: '/strategy/cexRate',
  x: '/strategy/okx',
  r: '/strategy/grid',
  k: '/user/apiKey',
  u: '/user/center',
};
