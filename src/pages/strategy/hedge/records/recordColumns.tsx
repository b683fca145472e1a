import { HedgeRow } from '#contract/kinds/hedge/desk';
import { Amount } from '@/components/Amount';
import { Duration } from '@/components/Duration';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL } from '@/components/labels';
import { NetOfPart, PartLeft } from '@/strategy/PartClosed';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import { HedgeLimits } from '../HedgeLimits';
import { HedgeNote } from '../HedgeNote';
import { PairCell } from '../PairCell';
import { RowActions } from '../RowActions';

type Own = OwnColumn<HedgeRow>;

const left = (key: 'stop' | 'target' | 'longest', title: string, unit: string, digits: number): Own => ({
  key,
  title,
  width: 96,
  figure: true,
  sort: 'ascend',
  spare: true,
  render: (row) => <Amount value={row[key]?.left} digits={digits} reason="未设置、没有价格或已结束" />,
  csv: (row) => row[key]?.left ?? null,
  written: { digits },
  csvTitle: `${title} (${unit})`,
});

const quantity = (key: 'longQuantity' | 'shortQuantity'): Own => ({
  key,
  figure: true,
  render: (row) => <span className="figure">{row[key]}</span>,
});

const reasonOf = ({ closeReason }: HedgeRow) => closeReason && CLOSE_REASON_LABEL[closeReason];

/** The records' columns; those of the default set first. */
export const RECORD_COLUMNS = schemaColumns(HedgeRow, {
  deciding: ['long', 'state', 'net', 'netReturn', 'marginReturn', 'limits'],
  widths: {
    ...{ long: 168, state: 132, netReturn: 148, marginReturn: 164, zOpen: 76, z: 76, fees: 92, slippage: 92 },
    ...{ heldHours: 88, closeReason: 100, note: 200, annualised: 140, naked: 196, longQuantity: 112 },
    ...{ shortQuantity: 112, short: 120, source: 100, id: 200, noteBy: 96 },
  },
  own: [
    {
      key: 'long',
      title: '多 / 空',
      csvTitle: '多头',
      fixed: 'left',
      render: (row) => <PairCell long={row.long} short={row.short} source={row.source} />,
    },
    {
      key: 'state',
      render: (row) => (
        <>
          <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />
          <PartLeft closed={row.closedPart} />
        </>
      ),
      csv: (row) => HEDGE_STATE_LABEL[row.state],
    },
    {
      key: 'net',
      render: ({ net, closedPart, realised }) => (
        <NetOfPart net={net} closed={closedPart} realised={realised} reason="持有中而没有标记价" />
      ),
    },
    {
      key: 'limits',
      title: '距止损 / 止盈 / 到期',
      width: 168,
      explain: { text: '止损、止盈按净盈亏 / 名义，到期按最长持有；由服务器计算，已结束的没有' },
      render: (row) => <HedgeLimits row={row} />,
    },
    {
      key: 'heldHours',
      csvTitle: '持有 (小时)',
      render: (row) => <Duration hours={row.heldHours} reason="还没有开仓" />,
    },
    { key: 'closeReason', render: (row) => reasonOf(row) ?? <span className="missing">-</span>, csv: reasonOf },
    { key: 'note', render: (row) => <HedgeNote row={row} /> },
    left('stop', '距止损', 'USDT', 2),
    left('target', '距止盈', 'USDT', 2),
    left('longest', '距到期', '小时', 1),
    quantity('longQuantity'),
    quantity('shortQuantity'),
    { key: 'actions', title: '操作', width: 240, fixed: 'right', render: (row) => <RowActions row={row} withDetail /> },
  ],
});
