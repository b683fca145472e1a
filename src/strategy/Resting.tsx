import type { RestingLegs } from '#contract/legsEntry';
import { Countdown } from '@/components/Countdown';

export const LEG_TITLE = { long: '多头腿', short: '空头腿' } as const;

interface RestingProps {
  resting: RestingLegs;
  /** How it follows the price, where there is room to say it. */
  pegged?: string;
}

/** The legs that rest on the way in or out, with what is left until they are taken from the book. */
export function Resting({ resting: { legs, isOut, convertsAt }, pegged }: RestingProps) {
  const [leg] = legs;
  return (
    <>
      {leg === undefined || legs.length > 1 ? '两腿' : LEG_TITLE[leg]}挂单{isOut && '平仓'}，{pegged && `${pegged}，`}
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
