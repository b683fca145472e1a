import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, useState } from 'react';
import { late } from '@/components/late';
import { ScreenBoundary } from '@/components/ScreenBoundary';

/** Comes at the second time only. */
function lateOf<P extends object>(part: React.ComponentType<P>) {
  const failure = Object.assign(new Error('Loading chunk failed'), { name: 'ChunkLoadError', type: 'missing' });
  const load = jest.fn<Promise<{ default: React.ComponentType<P> }>, []>().mockRejectedValueOnce(failure);
  return late(load.mockResolvedValue({ default: part }));
}

function Screen({ Dialog }: { Dialog: ReturnType<typeof late<object>> }) {
  const [open, setOpen] = useState(false);
  return (
    <ScreenBoundary>
      <input aria-label="写了一半" />
      <button type="button" onClick={() => setOpen(true)}>
        打开
      </button>
      <Suspense fallback={null}>{open && <Dialog onClose={() => setOpen(false)} />}</Suspense>
    </ScreenBoundary>
  );
}

beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => jest.restoreAllMocks());

test('a dialog that does not come closes with a word, the screen stays, and it opens when there is a network again', async () => {
  const Dialog = lateOf(() => <div role="dialog">里面</div>);
  render(<Screen Dialog={Dialog} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('写了一半'), 'BTC');
  await user.click(screen.getByText('打开'));
  expect(await screen.findByText('页面的一部分没有加载成功，请检查网络后重试')).toBeInTheDocument();
  expect(screen.getByLabelText('写了一半')).toHaveValue('BTC');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await user.click(screen.getByText('打开'));
  expect(await screen.findByRole('dialog')).toHaveTextContent('里面');
});

test('another part says so in its place, and is tried again there', async () => {
  const Chart = lateOf(() => <figure>曲线</figure>);
  render(
    <ScreenBoundary>
      <p>旁边</p>
      <Suspense fallback={null}>
        <Chart />
      </Suspense>
    </ScreenBoundary>,
  );
  expect(await screen.findByRole('heading', { name: '页面加载失败' })).toBeVisible();
  expect(screen.getByText('旁边')).toBeVisible();
  await userEvent.setup().click(screen.getByRole('button', { name: /重\s*试/ }));
  expect(await screen.findByText('曲线')).toBeVisible();
});

test('a defect within it is told by the screen', async () => {
  const Broken = late(async () => ({
    default: (): never => {
      throw new TypeError('x is undefined');
    },
  }));
  render(
    <ScreenBoundary>
      <Suspense fallback={null}>
        <Broken />
      </Suspense>
    </ScreenBoundary>,
  );
  expect(await screen.findByRole('heading', { name: '页面出错' })).toBeVisible();
});
