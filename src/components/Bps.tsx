import { Amount } from './Amount';

/** A fraction in basis points. */
export const inBps = <V extends number | null | undefined>(fraction: V) =>
  (typeof fraction === 'number' ? fraction * 10_000 : fraction) as V;

interface BpsProps {
  /** A fraction of what is traded. */
  value: number | null | undefined;
  reason?: string;
  digits?: number;
}

/** What is paid: fees and slippage are told in basis points wherever they stand. */
export const Bps = ({ value, digits = 1, ...rest }: BpsProps) => (
  <Amount value={inBps(value)} digits={digits} unit="bps" {...rest} />
);
