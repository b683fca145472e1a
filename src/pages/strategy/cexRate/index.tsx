import { Tabs } from 'antd';
import { cexRateScan } from '#contract/cexRateScan';
import { useQueryState } from '@/components/useQueryState';
import { HoursBox } from '@/scan/HoursBox';
import { ScanScreen } from '@/scan/ScanScreen';
import { useSteady } from '@/scan/useSteady';
import { useCall } from '@/services/useCall';
import { useListed } from '@/table/useListed';
import { MatrixPanel } from './MatrixPanel';
import styles from './matrix.module.css';
import { PairsPanel } from './PairsPanel';
import { matrixQuery, rateQuery, TABS, type Tab, toPairs } from './rateQuery';

const REFRESH = { refreshInterval: 3_000 };
const TAB_LABEL: Record<Tab, string> = { pairs: '机会', matrix: '矩阵' };

/** 跨所费率: what a coin's perpetuals at two venues would make against each other, and what all venues pay. */
export default function CexRatePage() {
  const [state, change] = useQueryState(rateQuery.codecs);
  const onMatrix = state.tab === 'matrix';
  const query = toPairs(state);
  const matrix = matrixQuery.toApi(state);
  const pairs = useListed(useCall(cexRateScan.list, onMatrix ? null : { query }, REFRESH), 'id');
  const rates = useListed(useCall(cexRateScan.matrix, onMatrix ? { query: matrix } : null, REFRESH), 'base');
  const steadyPairs = useSteady(pairs.listed.rows, 'id', JSON.stringify(query));
  const steadyRates = useSteady(rates.listed.rows, 'base', JSON.stringify(matrix));
  const { held, hands } = onMatrix ? steadyRates : steadyPairs;
  return (
    <ScanScreen
      title="跨所费率"
      {...(!onMatrix && { size: state.size, onSize: (size: number) => change({ size }) })}
      assumptions={
        !onMatrix && <HoursBox value={state.hours} onChange={(hours) => change({ hours }, { replace: true })} />
      }
      updatedAt={onMatrix ? rates.updatedAt : pairs.updatedAt}
      {...{ held, hands }}
    >
      <Tabs
        className={styles.tabs}
        activeKey={state.tab}
        items={TABS.map((key) => ({ key, label: TAB_LABEL[key] }))}
        onChange={(key) => change({ tab: key as Tab, sort: '', current: 1 })}
      />
      {onMatrix ? (
        <MatrixPanel list={{ ...rates.listed, rows: steadyRates.rows }} {...{ state, change }} />
      ) : (
        <PairsPanel list={{ ...pairs.listed, rows: steadyPairs.rows }} {...{ state, change }} />
      )}
    </ScanScreen>
  );
}
