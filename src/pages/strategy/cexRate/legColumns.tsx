import type { RateDeal } from '#contract/kinds/cexRate/desk';
import { Countdown } from '@/components/Countdown';
import { LiquidationDistance } from '@/components/LiquidationDistance';
import { LEG_LABEL } from '@/components/labels';
import { Quantity } from '@/components/Quantity';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, percentColumn, priceColumn, wordColumn } from '@/table/columns';

type Leg = RateDeal['legs'][number];

const FLAT = '没有持有，或现在读不到';

/** Both legs of a deal over two venues. */
export const LEG_COLUMNS: Column<Leg>[] = [
  wordColumn<Leg>('leg', '腿', 64, ({ leg }) => LEG_LABEL[leg]),
  wordColumn<Leg>('source', '交易所', 84, ({ source }) => venueLabel(source)),
  {
    key: 'quantity',
    title: '数量',
    width: 110,
    figure: true,
    render: ({ quantity }) => <Quantity value={Number(quantity)} signed />,
  },
  percentColumn<Leg>('filled', '进度', { digits: 0, width: 76, reason: '还没有开始' }),
  priceColumn<Leg>('entry', '开仓均价', { reason: '还没有成交' }),
  priceColumn<Leg>('mark', '标记价', { reason: '没有价格' }),
  priceColumn<Leg>('liquidationPrice', '强平价', { reason: '不会强平，或现在读不到' }),
  {
    ...percentColumn<Leg>('liquidationDistance', '距强平', {
      explain: { formula: 'F23：|标记价 − 强平价| / 标记价', text: '该所其他价格不变时' },
    }),
    render: ({ liquidationDistance }) => (
      <LiquidationDistance value={liquidationDistance} reason="不会强平，或现在读不到" />
    ),
  },
  percentColumn<Leg>('rate', '本期费率', { digits: 4, signed: true, reason: '没有费率' }),
  {
    key: 'nextAt',
    title: '距结算',
    width: 96,
    figure: true,
    render: ({ nextAt, hours }) => (
      <>
        <Countdown to={nextAt} />
        <div className="soft">{hours} h</div>
      </>
    ),
  },
  gainColumn<Leg>('funding', '资金费'),
  moneyColumn<Leg>('free', '该所可用保证金', { reason: FLAT }),
];
