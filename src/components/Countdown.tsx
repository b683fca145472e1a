import { Missing } from './Missing';
import { useSecond } from './useSecond';

const two = (value: number) => String(value).padStart(2, '0');

function left(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Hours, minutes and seconds until an instant (UTC ms), running. */
export function Countdown({ to, reason }: { to: number | null; reason?: string }) {
  const text = useSecond((now) => (to === null ? undefined : left(to - now)));
  if (text === undefined) return <Missing reason={reason} />;
  return (
    <span className="figure countdown" style={{ width: `${text.length}ch` }}>
      {text}
    </span>
  );
}
