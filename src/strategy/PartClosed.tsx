import { Tag, Tooltip } from 'antd';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';

/** What is left of a deal of which a part was closed: a fraction is closed; nothing where none is. */
export const PartLeft = ({ closed }: { closed: number | null }) =>
  closed === null ? null : (
    <div className="soft">
      剩 <Percent value={1 - closed} digits={0} />
    </div>
  );

/** That a leg is not all there any more: somebody has traded a part of it away by hand. */
export const TakenTag = ({ taken }: { taken: string }) => (
  <Tooltip title={taken}>
    <Tag color="error">腿被抵掉</Tag>
  </Tooltip>
);

/** A net result, and beside it what the closed part of the deal has brought by its price alone, before fees and funding, USDT. */
export const NetOfPart = ({ net, closed, realised, reason, unit }: NetOfPartProps) => (
  <>
    <Pnl value={net} unit={unit} reason={reason} />
    {closed !== null && (
      <div className="basis">
        已实现价格盈亏 <Pnl value={realised} />
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
