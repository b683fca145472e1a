import { safeCallback, withCallback } from '@/services/callback';

describe('safeCallback', () => {
  test.each([
    ['/', '/'],
    ['/indicator/hedge', '/indicator/hedge'],
    ['/test/hedge?long=BTCUSDT&short=ETHUSDT,SOLUSDT#trades', '/test/hedge?long=BTCUSDT&short=ETHUSDT,SOLUSDT#trades'],
    ['/indicator/symbol/detail/BTC%2FUSDT%3AUSDT', '/indicator/symbol/detail/BTC%2FUSDT%3AUSDT'],
    ['/indicator/symbol/detail/我踏马来了USDT', '/indicator/symbol/detail/我踏马来了USDT'],
    ['/indicator/hedge?search=a//b', '/indicator/hedge?search=a//b'],
  ])('keeps %s', (callback, path) => {
    expect(safeCallback(callback)).toBe(path);
  });

  test.each([
    [null],
    [''],
    ['indicator/hedge'],
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['https://evil.example/'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['/%2F/evil.example'],
    ['/%2f%2fevil.example'],
    ['/%5Cevil.example'],
    ['/%252F%252Fevil.example'],
    ['%2F%2Fevil.example'],
    ['/\t/evil.example'],
    ['/%09/evil.example'],
    ['/\n/evil.example'],
    ['/%0d%0aSet-Cookie:x'],
    ['\u0000/evil.example'],
    [' //evil.example'],
    ['/a/..//evil.example'],
    ['/%E0%A4%A'],
    ['/login'],
    ['/login?callback=/login'],
    ['/x/../login'],
    ['/register'],
  ])('sends %j to the front page', (callback) => {
    expect(safeCallback(callback)).toBe('/');
  });
});

describe('withCallback', () => {
  test('carries path and query through the address', () => {
    const address = withCallback('/login', '/test/hedge?long=A,B&short=C');
    expect(new URL(address, 'http://here').searchParams.get('callback')).toBe('/test/hedge?long=A,B&short=C');
  });

  test('never wraps a sign-in page in a sign-in page', () => {
    expect(withCallback('/login', '/login?callback=%2Ftest%2Fhedge')).toBe('/login');
  });
});
