import { act, fireEvent, render, screen } from '@testing-library/react';
import { HoldButton } from '@/components/HoldButton';

const longEnough = () => act(() => new Promise((resolve) => setTimeout(resolve, 1_200)));

test('a button that is switched off while it is held does nothing, and has to be held anew', async () => {
  const held = jest.fn();
  const button = (disabled: boolean) => (
    <HoldButton onHeld={held} disabled={disabled}>
      平仓
    </HoldButton>
  );
  const { rerender } = render(button(false));
  fireEvent.pointerDown(screen.getByRole('button'));
  rerender(button(true));
  await longEnough();
  expect(held).not.toHaveBeenCalled();
  rerender(button(false));
  await longEnough();
  expect(held).not.toHaveBeenCalled();
  fireEvent.pointerDown(screen.getByRole('button'));
  await longEnough();
  expect(held).toHaveBeenCalledTimes(1);
});

test('a button that is off, or at work, cannot be held at all', async () => {
  const held = jest.fn();
  const button = (off: { disabled?: boolean; loading?: boolean }) => (
    <HoldButton onHeld={held} {...off}>
      平仓
    </HoldButton>
  );
  const { rerender } = render(button({ disabled: true }));
  fireEvent.pointerDown(screen.getByRole('button'));
  await longEnough();
  rerender(button({ loading: true }));
  fireEvent.pointerDown(screen.getByRole('button'));
  await longEnough();
  expect(held).not.toHaveBeenCalled();
});
