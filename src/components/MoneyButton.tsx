import { Button, type ButtonProps, Tooltip } from 'antd';
import { useWhyOff } from '@/services/whyOff';

interface MoneyButtonProps extends ButtonProps {
  /** What stands in its way; it is off then. */
  why?: string | undefined;
}

/** Begins what moves money, or what decides about it: off, with the reason, while the server is not heard. */
export function MoneyButton({ why, disabled = false, ...button }: MoneyButtonProps) {
  const reason = useWhyOff(why);
  return (
    <Tooltip title={reason}>
      <Button {...button} disabled={disabled || reason !== undefined} />
    </Tooltip>
  );
}
