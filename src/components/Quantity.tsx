import { Amount } from './Amount';
import { decimalsIn } from './formatNumber';

interface QuantityProps {
  value: number;
  signed?: boolean;
}

const MOST = 4;

/** A quantity of a coin with as many digits as it has, for where it stands by itself and not in a column of figures. */
export const Quantity = ({ value, signed }: QuantityProps) => (
  <Amount value={value} digits={decimalsIn(value, MOST)} signed={signed} />
);
