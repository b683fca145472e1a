/** Every path of the console that is a screen; a name after `:` stands for one part of the path. */
export const SCREENS = [
  '/',
  '/login',
  '/register',
  '/user',
  '/user/center',
  '/user/apiKey',
  '/strategy',
  '/strategy/overview',
  '/strategy/spread',
  '/strategy/fundingRate',
  '/strategy/cexRate',
  '/strategy/hedge',
  '/strategy/okx',
  '/strategy/grid',
  '/strategy/order',
  '/indicator',
  '/indicator/hedge',
  '/indicator/static',
  '/indicator/symbol/detail/:symbol',
  '/test',
  '/test/hedge',
] as const;

const patterns = SCREENS.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`, 'i'));

/** Whether a path, as it is in the URL, is a screen; the router, too, knows no case and no last slash. */
export const isScreen = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
