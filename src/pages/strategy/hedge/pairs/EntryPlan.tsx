import { Alert, Skeleton } from 'antd';
import { type EntryQuote, type HedgeSettings, hedgeConfig, waitsForPerson } from '#contract/kinds/hedge/config';
import { LEG_LABEL } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { formatNumber } from '@/components/formatNumber';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { PairWarnings } from '@/components/PairWarnings';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { useCall } from '@/services/useCall';
import type { ListedFigure } from '@/strategy/FigureList';
import { ENTRY_SIDE, type LegCardProps, LegCards } from '@/strategy/LegCard';
import desk from '../index.module.css';
import { settingsForm } from '../settings/settingsForm';
import { OtherSpread } from './OtherSpread';

const REFRESH_MS = 5_000;
const THIN = '盘口深度不足';

/** What of the settings a quotation is asked for with, where it is not the saved ones. */
export type Carried = Partial<Pick<HedgeSettings, 'leverage' | 'ratio'>>;

interface EntryPlanProps {
  long: string;
  short: string;
  carried?: Carried;
}

/** A quotation of entering a pair, renewed while it is looked at. */
export const useEntryQuote = (pair: { long: string; short: string } | null, carried: Carried = {}) =>
  useCall(hedgeConfig.entryQuote, pair && { query: { ...pair, ...carried } }, { refreshInterval: REFRESH_MS });

/** What entering a pair would take, cost and risk, and whether it would be entered at once. */
export default function EntryPlan({ long, short, carried }: EntryPlanProps) {
  const { data, error } = useEntryQuote({ long, short }, carried);
  if (data === undefined && error) return <Alert type="warning" showIcon title={`暂无开仓报价：${error.message}`} />;
  if (data === undefined) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  return (
    <section className={`stack ${desk.stack}`} aria-label="开仓报价">
      <EntryRule quote={data} />
      {data.warnings.length > 0 && (
        <div>
          <PairWarnings waits={data.settings.entry === 'z'} warnings={data.warnings} />
        </div>
      )}
      <OtherSpread ratio={data.share} hedgeRatio={data.hedgeRatio} />
      <LegCards legs={data.legs.map((leg) => cardOf(leg, data.settings))} reason={THIN} more={sumsOf(data)} />
    </section>
  );
}

const cardOf = (leg: EntryQuote['legs'][number], { source }: HedgeSettings): LegCardProps => ({
  order: { ...leg, source, side: ENTRY_SIDE[leg.leg] },
  tag: LEG_LABEL[leg.leg],
  feeFormula: '开仓，按吃单费率；先挂单时更低，平仓再付约同样多',
  more: [{ label: '保证金', formula: '名义 / 杠杆', figure: <Amount value={leg.margin} unit="USDT" reason={THIN} /> }],
});

function sumsOf({ margin, freeMargin, stop, target, ratio, settings, priceAt }: EntryQuote): ListedFigure[] {
  return [
    {
      label: '保证金 / 可用',
      figure: (
        <>
          <Amount value={margin} reason={THIN} /> / <Amount value={freeMargin} unit="USDT" />
        </>
      ),
    },
    { label: '现比价', formula: '多头价 / 空头价，中间价', figure: <Price value={ratio} reason="没有现价" /> },
    { label: '止损', formula: LEVEL, figure: <Level level={stop} /> },
    { label: '止盈', formula: LEVEL, figure: <Level level={target} /> },
    { label: '最长持有', figure: settingsForm.text(settings, 'maxHoldingHours') },
    { label: '报价时间', figure: <DateTime value={priceAt} precision="second" reason={THIN} /> },
  ];
}

const LEVEL = '净盈亏到此即平仓；比价按空头价格不动、不计资金费折算';

const Level = ({ level }: { level: EntryQuote['stop'] }) =>
  level === null ? (
    '不启用'
  ) : (
    <>
      <Pnl value={level.net} unit="USDT" />
      <div className="soft">
        比价 <Price value={level.ratio} reason={THIN} />
      </div>
    </>
  );

const shown = (z: number | null) => (z === null ? '未知' : formatNumber(z, { digits: 2, signed: true }));

/** The rule by which the pair is entered, and whether that is now. */
function EntryRule({ quote: { settings, block, z, notional } }: { quote: EntryQuote }) {
  const rule =
    settings.entry === 'immediate'
      ? '入场：立即'
      : `入场：z ≤ −${settings.entryZ}（${settingsForm.text(settings, 'zBar')}，${settings.zWindow} 根），现在 z 为 ${shown(z)}`;
  if (block === null) {
    const size = notional === null ? '' : `，两边共 ${formatNumber(notional, { digits: 0 })} USDT`;
    return <Alert type="warning" showIcon title={`${rule}。条件已满足：会立即建仓${size}。`} />;
  }
  const then = waitsForPerson(settings, block)
    ? '有空位后也不自动建仓，要由你确认'
    : '条件满足后自动建仓；届时有现在没有的提示才再问你';
  return <Alert type="info" showIcon title={`${rule}。现在不会建仓：${PAIR_BLOCK_LABEL[block]}。${then}。`} />;
}
