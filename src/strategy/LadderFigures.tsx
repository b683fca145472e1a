import type { ReactNode } from 'react';
import type { LadderPreview } from '#contract/strategies';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { FigureList } from './FigureList';

const range = (from: ReactNode, to: ReactNode) => (
  <>
    {from} ~ {to}
  </>
);

const NO_MARGIN = '现货没有强平：没有借款，也没有保证金';
const START_LABEL: Record<LadderPreview['startFrom'], string> = {
  market: '开始时按市价建底仓',
  account: '开始时取用账户的币',
};

const Coins = ({ value }: { value: number | null }) => <Quantity value={value} reason="在该交易所还没有账户" />;

/** What it holds from the beginning, and whether the account has it where it is taken from there. */
function Start({ startCells, startCoin, startFrom, freeCoin }: LadderPreview) {
  return (
    <>
      {startCells} 格，
      <Coins value={startCoin} /> 币
      {startFrom === 'account' && (
        <span className={freeCoin !== null && freeCoin < startCoin ? 'down' : 'soft'}>
          {' '}
          账户闲置 <Coins value={freeCoin} />
        </span>
      )}
    </>
  );
}

/** What only a kind with levels tells before it is saved: its cells, what each makes, and where it would be liquidated. */
export function LadderFigures({ ladder }: { ladder: LadderPreview }) {
  const { stepLeast, stepMost, profitLeast, profitMost, breakEven, quantity, market } = ladder;
  const none = market === 'spot' ? NO_MARGIN : null;
  const figures: [label: string, value: ReactNode][] = [
    ['间距', range(<Percent value={stepLeast} digits={3} />, <Percent value={stepMost} digits={3} />)],
    ['每格净利（F27）', range(<Percent value={profitLeast} digits={3} />, <Percent value={profitMost} digits={3} />)],
    ['保本间距（两笔手续费）', <Percent key="even" value={breakEven} digits={3} />],
    ['投入', <Amount key="capital" value={ladder.capital} unit="USDT" />],
    ['每格数量', <Coins key="quantity" value={quantity} />],
    [START_LABEL[ladder.startFrom], <Start key="start" {...ladder} />],
    ['预计每日套利', <Amount key="pairs" value={ladder.dailyPairs} digits={1} unit="次" reason="没有历史" />],
    ['预计每日网格利润', <Amount key="net" value={ladder.dailyNet} unit="USDT" reason="没有历史" />],
    [
      '跌到强平',
      <Price key="low" value={ladder.liquidationLow} reason={none ?? '只用投入承担也不会强平，或没有多头格'} />,
    ],
    [
      '涨到强平',
      <Price key="high" value={ladder.liquidationHigh} reason={none ?? '只用投入承担也不会强平，或没有空头格'} />,
    ],
  ];
  return <FigureList label="网格" figures={figures.map(([label, figure]) => ({ label, figure }))} />;
}
