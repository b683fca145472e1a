import { Amount } from './Amount';
import { decimalsIn } from './formatNumber';

interface QuantityProps {
  value: number | null;
  signed?: boolean;
  /** Written after the figure. */
  unit?: string | undefined;
  /** Why it is missing, when it is. */
  reason?: string;
}

/** A quantity of a coin with as many digits as it has, for where it stands by itself and not in a column of figures. */
export const Quantity = ({ value, ...rest }: QuantityProps) => (
  <Amount value={value} digits={value === null ? 0 : decimalsIn(value)} {...rest} />
);
