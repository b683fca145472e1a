import { Tabs } from 'antd';
import { cexRateScan } from '#contract/cexRateScan';
import { useQueryState } from '@/components/useQueryState';
import { HoursBox } from '@/scan/HoursBox';
import { ScanScreen } from '@/scan/ScanScreen';
import { useScan } from '@/scan/useScan';
import { useCall } from '@/services/useCall';
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
  const pairs = useScan(useCall(cexRateScan.list, onMatrix ? null : { query }, REFRESH), 'id', query);
  const rates = useScan(useCall(cexRateScan.matrix, onMatrix ? { query: matrix } : null, REFRESH), 'base', matrix);
  const { updatedAt, held, hands } = onMatrix ? rates : pairs;
  return (
    <ScanScreen
      title="跨所费率"
      {...(!onMatrix && { size: state.size, onSize: (size: number) => change({ size }) })}
      assumptions={
        !onMatrix && <HoursBox value={state.hours} onChange={(hours) => change({ hours }, { replace: true })} />
      }
      {...{ updatedAt, held, hands }}
    >
      <Tabs
        className={styles.tabs}
        activeKey={state.tab}
        items={TABS.map((key) => ({ key, label: TAB_LABEL[key] }))}
        onChange={(key) => change({ tab: key as Tab, sort: '', current: 1 })}
      />
      {onMatrix ? (
        <MatrixPanel list={rates.list} {...{ state, change }} />
      ) : (
        <PairsPanel list={pairs.list} {...{ state, change }} />
      )}
    </ScanScreen>
  );
}
