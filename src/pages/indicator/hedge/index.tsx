import { SwapOutlined } from '@ant-design/icons';
import { useAccess } from '@umijs/max';
import { Button, Tooltip } from 'antd';
import { Suspense, useState } from 'react';
import type { DataOf } from '#contract/endpoint';
import { evaluate } from '#contract/evaluate';
import { DateTime } from '@/components/DateTime';
import { DirectionTag } from '@/components/DirectionTag';
import { late } from '@/components/late';
import { stateOf, useQueryState } from '@/components/useQueryState';
import { readForLink } from '@/services/read';
import { useStars } from '@/services/stars';
import { useCall } from '@/services/useCall';
import { useListed } from '@/table/useListed';
import styles from './index.module.css';
import { SelectionTable } from './SelectionTable';
import { type Selection, SelectionContext, useSelection } from './selectionContext';
import { selectionQuery, toApi } from './selectionQuery';
import { type Side, useBaskets } from './useBaskets';
import { useEvaluateEdit } from './useEvaluateEdit';

const PairPanel = late(() => import('./PairPanel'));
const TrialDrawer = late(() => import('./TrialDrawer'));
const HistoryDrawer = late(() => import('./HistoryDrawer'));
const AccountOffer = late(() => import('./AccountOffer'));

type Opened = { kind: 'pair' } | { kind: 'history'; symbol: string } | { kind: 'offer'; what: string };

/** 中性选币: the ranked coins of a source, the team's view of them, and the pair that is built from them. */
export default function SelectionPage() {
  const [state, change] = useQueryState(selectionQuery.codecs);
  const [opened, setOpened] = useState<Opened | null>(null);
  const access = useAccess();
  const stars = useStars();
  const reading = useCall(evaluate.list, state.coins && stars === undefined ? null : { query: toApi(state) });
  const { listed } = useListed(reading, 'symbol');
  const edit = useEvaluateEdit(state.source, reading.mutate);
  const baskets = useBaskets(state, (chosen) => change(chosen, { replace: true }));
  const selection: Selection = {
    ...edit,
    source: state.source,
    visitor: !access.signedIn,
    editable: access.evaluateEditable === true,
    baskets,
    showHistory: (symbol) => setOpened({ kind: 'history', symbol }),
    offerAccount: (what) => setOpened({ kind: 'offer', what }),
  };
  const close = () => setOpened(null);
  const Pair = selection.visitor ? TrialDrawer : PairPanel;
  return (
    <SelectionContext value={selection}>
      <div className="stack">
        <SelectionTable state={state} change={change} list={listed} />
        {listed.data && <LeftOut stale={listed.data.stale} tooShort={listed.data.tooShort} />}
        <PairTray onOpen={() => setOpened({ kind: 'pair' })} />
      </div>
      <Suspense fallback={null}>
        {opened?.kind === 'pair' && (
          <Pair source={state.source} long={state.long} short={state.short} onClose={close} />
        )}
        {opened?.kind === 'history' && <HistoryDrawer source={state.source} symbol={opened.symbol} onClose={close} />}
        {opened?.kind === 'offer' && <AccountOffer what={opened.what} onClose={close} />}
      </Suspense>
    </SelectionContext>
  );
}

SelectionPage.ahead = (search: URLSearchParams) => {
  readForLink(evaluate.list, { query: toApi(stateOf(selectionQuery.codecs, search)) });
};

type List = DataOf<typeof evaluate.list>;

/** Coins that are not ranked, and why: their candles stopped, or there are too few. */
function LeftOut({ stale, tooShort }: Pick<List, 'stale' | 'tooShort'>) {
  if (stale.length === 0 && tooShort.length === 0) return null;
  return (
    <div className={styles.leftOut}>
      {stale.length > 0 && (
        <details>
          <summary>停更 {stale.length} 个（最后收盘早于最新一日 3 天以上，不参与排名）</summary>
          <ul>
            {stale.map(({ symbol, lastAt }) => (
              <li key={symbol}>
                {symbol}{' '}
                <span className="missing">
                  最后 K 线 <DateTime utc precision="day" value={lastAt} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {tooShort.length > 0 && (
        <details>
          <summary>历史不足 {tooShort.length} 个（少于 31 根日线，不参与排名）</summary>
          <ul>
            {tooShort.map(({ symbol, days }) => (
              <li key={symbol}>
                {symbol} <span className="missing">{days} 天</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface PairTrayProps {
  onOpen: () => void;
}

/** The chosen coins of both sides, in view wherever the table is scrolled to. */
function PairTray({ onOpen }: PairTrayProps) {
  const { baskets, visitor } = useSelection();
  const { long, short, swap, clear } = baskets;
  if (long.length + short.length === 0) return null;
  const complete = long.length > 0 && short.length > 0;
  return (
    <section className={styles.tray} aria-label="配对">
      <Chips side="long" />
      <Tooltip title="互换多空">
        <Button size="small" icon={<SwapOutlined />} aria-label="互换多空" onClick={swap} />
      </Tooltip>
      <Chips side="short" />
      <span className={styles.trayActions}>
        <Button size="small" onClick={clear}>
          清空
        </Button>
        <Tooltip title={complete ? undefined : '两边各选至少一个币种'}>
          <Button size="small" type="primary" disabled={!complete} onClick={onOpen}>
            {visitor ? '试用回测' : '查看配对'}
          </Button>
        </Tooltip>
      </span>
    </section>
  );
}

const NAME: Record<Side, string> = { long: '多头', short: '空头' };

function Chips({ side }: { side: Side }) {
  const { baskets } = useSelection();
  return (
    <div className={styles.chips}>
      <DirectionTag direction={side} />
      {baskets[side].length === 0 && <span className="missing">从表格中选择{NAME[side]}</span>}
      {baskets[side].map((symbol) => (
        <span key={symbol} className={styles.chip}>
          {symbol}
          <button
            type="button"
            className={styles.drop}
            aria-label={`从${NAME[side]}移除 ${symbol}`}
            onClick={() => baskets.remove(side, symbol)}
          >
            ×
          </button>
        </span>
      ))}
    </div>
  );
}
