import type { RestingLeg } from '#contract/legsEntry';
import { Countdown } from '@/components/Countdown';

export const LEG_TITLE = { long: '多头腿', short: '空头腿' } as const;

interface RestingProps {
  resting: RestingLeg;
  /** How it follows the price, where there is room to say it. */
  pegged?: string;
}

/** The leg that rests on the way in, with what is left until it is taken from the book. */
export function Resting({ resting: { leg, convertsAt }, pegged }: RestingProps) {
  return (
    <>
      {LEG_TITLE[leg]}挂单，{pegged && `${pegged}，`}
      {convertsAt === null ? (
        '不转市价'
      ) : (
        <>
          <Countdown to={convertsAt} /> 后转市价
        </>
      )}
    </>
  );
}
