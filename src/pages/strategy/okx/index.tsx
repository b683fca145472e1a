import { useMemo, useState } from 'react';
import type { SimulatedSource } from '#contract/candle';
import { DEFAULT_OKX, type OkxParams } from '#contract/kinds/okx/params';
import { type ArbitrageCandidate, arbitrageScan } from '#contract/kinds/okx/scan';
import { EmptyState } from '@/components/EmptyState';
import { useQueryState } from '@/components/useQueryState';
import { ScanScreen } from '@/scan/ScanScreen';
import { scanCard } from '@/scan/scanCard';
import { SCAN_REFRESH, useScan } from '@/scan/useScan';
import { MARKET, useScreenTab } from '@/scan/useScreenTab';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import type { Draft } from '@/strategy/StrategyDrawer';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { ArbitrageFilters } from './ArbitrageFilters';
import { arbitrageColumns } from './arbitrageColumns';
import { arbitrageQuery, toApi } from './arbitrageQuery';
import { form } from './form';
import { GapPast } from './GapPast';
import { OkxDetail } from './OkxDetail';
import { OKX_DEALS } from './okxDeals';

const past = ({ base, buy, sell }: ArbitrageCandidate) => (
  <GapPast base={base} buy={buy as SimulatedSource} sell={sell as SimulatedSource} />
);

/** What a phone shows of a row. */
const CARD = {
  beside: [],
  figures: ['buy', 'sell', 'netBps', 'profit', 'grossBps', 'heldSeconds', 'fillable', 'transfer', 'ageMs'],
  expanded: past,
};

/** 交易所套利: what a coin bought at one venue and sold at another would make, for every two venues that list it. */
export default function ArbitragePage() {
  const [state, change] = useQueryState(arbitrageQuery.codecs);
  const query = toApi(state);
  const place = useScreenTab();
  const reading = useCall(arbitrageScan.list, place.tab === MARKET ? { query } : null, SCAN_REFRESH);
  const { list, updatedAt, held, hands } = useScan(reading, 'id', query);
  const { size } = state;
  const [draft, setDraft] = useState<Draft<OkxParams>>();
  const columns = useMemo(() => {
    const plan = ({ base, buy, sell }: ArbitrageCandidate): Draft<OkxParams> => ({
      name: `${base} ${venueLabel(buy)}-${venueLabel(sell)}`,
      params: {
        ...DEFAULT_OKX,
        ...{ one: buy as OkxParams['one'], other: sell as OkxParams['other'], coins: [base] },
        ...{ legNotional: size, stockNotional: Math.max(2 * size, DEFAULT_OKX.stockNotional ?? 0) },
      },
    });
    return arbitrageColumns((row) => setDraft(plan(row)));
  }, [size]);
  const card = useMemo(() => scanCard(columns, CARD), [columns]);
  return (
    <ScanScreen
      place={place}
      size={state.size}
      onSize={(size) => change({ size })}
      {...{ updatedAt, held, hands }}
      own={{
        ...{ kind: 'okx', form, fresh: DEFAULT_OKX, deals: OKX_DEALS, draft, onDraft: setDraft },
        detail: (strategy, done) => <OkxDetail key={strategy.id} {...{ strategy, done }} />,
      }}
    >
      <ListTable
        name="arbitrage"
        title="交易所套利"
        columns={columns}
        rowKey="id"
        list={list}
        readPage={(page) => call(arbitrageScan.list, { query: { ...query, ...page } })}
        place={state}
        onPlace={change}
        expanded={past}
        card={card}
        filters={<ArbitrageFilters state={state} change={change} />}
        empty={
          <NoRows of="机会" filtered={arbitrageQuery.isFiltered(state)} onClear={() => change(arbitrageQuery.clear)}>
            <EmptyState title="没有可比的币种" description="要有两个交易所都有它的现货" />
          </NoRows>
        }
      />
    </ScanScreen>
  );
}
