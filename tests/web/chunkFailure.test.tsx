import { render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { reloadOnceIfGone } from '@/components/chunkFailure';
import { ScreenBoundary } from '@/components/ScreenBoundary';
import { contact } from '@/services/contact';
import { network } from '../support/webConsole';

/** What webpack throws when a chunk does not arrive. */
function chunkError(type: 'missing' | 'timeout', file = '/p__test.1a2b3c4d.async.js'): Error {
  const request = `http://localhost${file}`;
  return Object.assign(new Error(`Loading chunk failed (${type}: ${request})`), {
    name: 'ChunkLoadError',
    type,
    request,
  });
}

function Broken({ error }: { error: Error }): never {
  throw error;
}

// React reports what a boundary caught; here that is the point of the test.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => jest.restoreAllMocks());

describe('a chunk that is gone', () => {
  test('reloads the page once, and not again for the same file', async () => {
    network.use(http.head('http://localhost/p__test*', () => new HttpResponse(null, { status: 404 })));
    const reload = jest.fn();
    await reloadOnceIfGone(chunkError('missing'), reload);
    await reloadOnceIfGone(chunkError('missing'), reload);
    expect(reload).toHaveBeenCalledTimes(1);
    await reloadOnceIfGone(chunkError('missing', '/p__test.ffffffff.async.js'), reload);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['the file is still there', () => new HttpResponse(null, { status: 200 })],
    ['there is no network', () => HttpResponse.error()],
  ])('does not reload when %s', async (_, answer) => {
    network.use(http.head('http://localhost/p__test*', answer));
    const reload = jest.fn();
    await reloadOnceIfGone(chunkError('missing'), reload);
    expect(reload).not.toHaveBeenCalled();
  });
});

test.each([
  ['a chunk that took too long', chunkError('timeout'), '页面加载超时'],
  ['a chunk that did not come', chunkError('missing'), '页面加载失败'],
  ['a defect of the screen', new TypeError('x is undefined'), '页面出错'],
])('%s offers a retry and says what happened', (_, error, title) => {
  network.use(http.head('http://localhost/p__test*', () => new HttpResponse(null, { status: 200 })));
  render(
    <ScreenBoundary>
      <Broken error={error} />
    </ScreenBoundary>,
  );
  expect(screen.getByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByRole('button', { name: /重\s*试/ })).toBeEnabled();
  expect(screen.queryByText(/undefined/)).not.toBeInTheDocument();
});

test('what did not come while the server was out of reach is asked for once it answers again', () => {
  network.use(http.head('http://localhost/p__test*', () => HttpResponse.error()));
  const reload = jest.fn();
  const screenAt = (address: string) => (
    <ScreenBoundary address={address} reload={reload}>
      <Broken error={chunkError('missing')} />
    </ScreenBoundary>
  );
  contact.failed();
  const { unmount } = render(screenAt('/a'));
  expect(reload).not.toHaveBeenCalled();
  contact.answered();
  expect(reload).toHaveBeenCalledTimes(1);
  unmount();
  contact.answered();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a chunk that fails while the server answers is not asked for again and again', () => {
  network.use(http.head('http://localhost/p__test*', () => new HttpResponse(null, { status: 200 })));
  const reload = jest.fn();
  contact.answered();
  render(
    <ScreenBoundary reload={reload}>
      <Broken error={chunkError('missing')} />
    </ScreenBoundary>,
  );
  contact.answered();
  expect(reload).not.toHaveBeenCalled();
});
