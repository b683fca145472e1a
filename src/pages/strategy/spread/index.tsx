import { DEFAULT_SPREAD, isExitTooNear, type SpreadParams } from '#contract/kinds/spread/params';
import { SPREAD_DIRECTION_LABEL, SPREAD_FILTERS, SpreadCandidate, spreadScan } from '#contract/kinds/spread/scan';
import { Amount } from '@/components/Amount';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';
import { Percent } from '@/components/Percent';
import { boundedCodec, numberCodec } from '@/components/useQueryState';
import { atHome } from '@/form/atHome';
import { AssumptionBox } from '@/scan/AssumptionBox';
import { coinColumn } from '@/scan/coinColumn';
import { RowAge } from '@/scan/RowAge';
import { ScanPage, scanAhead, scanOf } from '@/scan/ScanPage';
import { scanColumns } from '@/scan/scanColumns';
import { form } from './form';
import { SpreadPast } from './SpreadPast';
import { SPREAD_DEALS } from './spreadDeals';

const SpreadFigures = late(() => import('./SpreadFigures'));

/** Why nothing is said of the basis of the last 90 days. */
const PAST_REASON: Record<SpreadCandidate['past'], string> = {
  known: '现在没有完整的盘口',
  pending: '正在整理两腿的历史，稍候自动出现',
  short: '两腿的共同历史不足 30 天',
};

/** Days for which a pair without an end may be planned. */
const HELD_DAYS = { minimum: 1, maximum: 365 };

const SPREAD = scanOf({
  endpoint: spreadScan.list,
  filters: SPREAD_FILTERS,
  assumed: { days: boundedCodec(numberCodec(7), HELD_DAYS) },
  // How long a pair is held that nothing ends by itself.
  assumptions: ({ state, change }) => (
    <AssumptionBox
      label="无到期日的组合持有"
      prefix="无到期日持有"
      suffix="天"
      least={HELD_DAYS.minimum}
      most={HELD_DAYS.maximum}
      width={168}
      value={state.days}
      onChange={(days) => change({ days }, { replace: true })}
    />
  ),
  single: { entryApr: 0, orderType: 'market', slices: 1, rollDays: null },
  columns: (plan, open) =>
    scanColumns(SpreadCandidate, {
      coin: coinColumn((row) => row, { width: 104 }),
      deciding: [...['source', 'direction', 'capitalApr', 'replay7', 'replay30', 'z', 'days', 'fees', 'depth']],
      own: [
        // Narrow, so that all that decides is in view; fees are few and alike, and need no place for a sorter.
        ...[
          { key: 'source', width: 96 },
          { key: 'direction', width: 72 },
          { key: 'capitalApr', width: 88 },
          { key: 'replay7', width: 92 },
          { key: 'replay30', width: 98 },
          { key: 'fees', width: 90, sort: undefined },
          { key: 'depth', width: 92 },
        ],
        { key: 'near', width: 160 },
        { key: 'far', width: 180 },
        { key: 'quotedAt', width: 108, render: ({ quotedAt }) => <RowAge quotedAt={quotedAt} /> },
        {
          key: 'z',
          width: 60,
          render: ({ z, past }) => <Amount value={z} digits={2} signed reason={PAST_REASON[past]} />,
        },
        {
          key: 'percentile',
          render: ({ percentile, past }) => <Percent value={percentile} digits={0} reason={PAST_REASON[past]} />,
        },
      ],
      ...{ plan, open },
    }),
  card: {
    beside: ['source', 'type', 'direction'],
    figures: [
      ...['capitalApr', 'replay7', 'replay30', 'annualised', 'basisRate', 'days', 'openEdge', 'z', 'depth'],
      'quotedAt',
    ],
  },
  past: ({ source, near, far }) => <SpreadPast {...{ source, near, far }} />,
  draftOf: ({ source, base, near, far, direction, ...row }, { size, days }) => ({
    name: `${base} ${SPREAD_DIRECTION_LABEL[direction]}`,
    params: {
      ...DEFAULT_SPREAD,
      source: source as SpreadParams['source'],
      // What earns by its funding does not wait for prices to meet.
      ...(isExitTooNear(DEFAULT_SPREAD.exitLevel, row) && { exitLevel: null }),
      ...{ near, far, direction, legNotional: size, planDays: days },
    },
  }),
  nothing: ['没有可比的组合', '同一交易所要有同一币种的两种合约，或现货与合约'],
  own: {
    ...{ kind: 'spread', form, fresh: atHome(DEFAULT_SPREAD), deals: SPREAD_DEALS },
    detail: (strategy) => (
      <LateCard key={strategy.id} height={240}>
        <SpreadFigures strategy={strategy} />
      </LateCard>
    ),
  },
});

/** 期货价差: what holding one instrument of a coin against another would make, for every pair of every venue. */
export default function SpreadPage() {
  return <ScanPage scan={SPREAD} />;
}

SpreadPage.ahead = scanAhead(SPREAD);
