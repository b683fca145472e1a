import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';

/** What is left of a deal of which a part was closed: a fraction is closed; nothing where none is. */
export const PartLeft = ({ closed }: { closed: number | null }) =>
  closed === null ? null : (
    <div className="soft">
      剩 <Percent value={1 - closed} digits={0} />
    </div>
  );

/** A net result, and beside it what of the deal has brought its price already, USDT. */
export const NetOfPart = ({ net, closed, realised, reason, unit }: NetOfPartProps) => (
  <>
    <Pnl value={net} unit={unit} reason={reason} />
    {closed !== null && (
      <div className="soft">
        已实现 <Pnl value={realised} />
      </div>
    )}
  </>
);

interface NetOfPartProps {
  net: number | null;
  closed: number | null;
  realised: number;
  reason: string;
  unit?: string;
}
