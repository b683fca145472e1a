import type { ReactNode } from 'react';
import type { LadderPreview } from '#contract/strategies';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import { FigureList } from './FigureList';

const range = (from: ReactNode, to: ReactNode) => (
  <>
    {from} ~ {to}
  </>
);

/** What only a kind with levels tells before it is saved: its cells, what each makes, and where it would be liquidated. */
export function LadderFigures({ ladder }: { ladder: LadderPreview }) {
  const { stepLeast, stepMost, profitLeast, profitMost, breakEven, quantity, startCells } = ladder;
  const figures: [label: string, value: ReactNode][] = [
    ['间距', range(<Percent value={stepLeast} digits={3} />, <Percent value={stepMost} digits={3} />)],
    ['每格净利（F27）', range(<Percent value={profitLeast} digits={3} />, <Percent value={profitMost} digits={3} />)],
    ['保本间距（两笔手续费）', <Percent key="even" value={breakEven} digits={3} />],
    ['投入', <Amount key="capital" value={ladder.capital} unit="USDT" />],
    ['每格数量', <Amount key="quantity" value={quantity} digits={6} />],
    ['开始时按市价建底仓', `${startCells} 格`],
    ['预计每日套利', <Amount key="pairs" value={ladder.dailyPairs} digits={1} unit="次" reason="没有历史" />],
    ['预计每日网格利润', <Amount key="net" value={ladder.dailyNet} unit="USDT" reason="没有历史" />],
    ['跌到强平', <Price key="low" value={ladder.liquidationLow} reason="只用投入承担也不会强平，或没有多头格" />],
    ['涨到强平', <Price key="high" value={ladder.liquidationHigh} reason="只用投入承担也不会强平，或没有空头格" />],
  ];
  return <FigureList label="网格" figures={figures.map(([label, figure]) => ({ label, figure }))} />;
}
