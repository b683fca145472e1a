import { useAccess } from '@umijs/max';
import { Suspense, useState } from 'react';
import { evaluate } from '#contract/evaluate';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import { useListed } from '@/table/useListed';
import styles from './index.module.css';
import { LeftOut } from './LeftOut';
import { PairTray } from './PairTray';
import { SelectionTable } from './SelectionTable';
import { type Selection, SelectionContext } from './selectionContext';
import { selectionQuery, toApi } from './selectionQuery';
import { useBaskets } from './useBaskets';
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
  const reading = useCall(evaluate.list, { query: toApi(state) });
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
      <div className={styles.screen}>
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
