import { Button, Tooltip } from 'antd';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useWhyOff } from '@/services/whyOff';
import styles from './HoldButton.module.css';

const HOLD_MS = 1_000;

interface HoldButtonProps {
  children: ReactNode;
  onHeld: () => void;
  loading?: boolean;
  disabled?: boolean;
}

/**
 * Acts once it was held down for a second, by pointer or by the space bar; Enter and a mere click do nothing. It is what
 * moves money, so it is off while the server is not heard.
 */
export function HoldButton({ children, onHeld, loading, disabled }: HoldButtonProps) {
  const [holding, setHolding] = useState(false);
  const whyOff = useWhyOff();
  const isOff = disabled || whyOff !== undefined;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => {
    clearTimeout(timer.current);
    setHolding(false);
  };
  const hold = () => {
    clearTimeout(timer.current);
    // Browsers tell of pointers on a button that is off, too.
    if (isOff || loading) return;
    setHolding(true);
    timer.current = setTimeout(() => {
      setHolding(false);
      onHeld();
    }, HOLD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  // What was held for went on to change: whoever holds on has not decided about that.
  useEffect(() => {
    if (!isOff) return;
    clearTimeout(timer.current);
    setHolding(false);
  }, [isOff]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (event.key === ' ' && !event.repeat) hold();
  };
  return (
    <Tooltip title={whyOff}>
      <Button
        danger
        type="primary"
        className={`${styles.hold} ${holding ? styles.holding : ''}`}
        style={{ '--hold': `${HOLD_MS}ms` } as React.CSSProperties}
        loading={loading}
        disabled={isOff}
        onPointerDown={({ button }) => !(button > 0) && hold()}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        onKeyUp={release}
        onBlur={release}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
