import { formatNumber } from './formatNumber';
import { Missing } from './Missing';

/** Below so many hours a length of time is told in hours, from there on in days. */
const DAYS_FROM = 48;

const LEAST = 0.1;

function partsOf(hours: number): [figure: string, unit: string] {
  if (hours < LEAST) return [`< ${LEAST}`, '小时'];
  return hours < DAYS_FROM
    ? [formatNumber(hours, { digits: 1 }), '小时']
    : [formatNumber(hours / 24, { digits: 1 }), '天'];
}

/** How long something lasts, in the unit of its size. */
export const durationText = (hours: number): string => partsOf(hours).join(' ');

/** The same of a limit, which is kept to the hour: in hours where days would round it. */
export const limitText = (hours: number): string => {
  const isWhole = hours < DAYS_FROM || Number((hours / 24).toFixed(1)) * 24 === hours;
  return hours > 0 && isWhole ? durationText(hours) : `${formatNumber(hours, { digits: 0 })} 小时`;
};

interface DurationProps {
  hours: number | null | undefined;
  /** Why it is missing, when it is. */
  reason?: string;
}

export function Duration({ hours, reason }: DurationProps) {
  if (hours === null || hours === undefined || !Number.isFinite(hours)) return <Missing reason={reason} />;
  const [figure, unit] = partsOf(hours);
  return (
    <span className="figure">
      {figure}
      <span className="unit"> {unit}</span>
    </span>
  );
}
