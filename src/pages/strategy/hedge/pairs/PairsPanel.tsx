import { PlusOutlined } from '@ant-design/icons';
import { Button, Card } from 'antd';
import { memo, useMemo } from 'react';
import type { HedgePair } from '#contract/kinds/hedge/config';
import { useNarrow } from '@/components/useNarrow';
import { PlainTable } from '@/table/PlainTable';
import styles from '../index.module.css';
import { pairColumns } from './pairColumns';

interface PairsPanelProps {
  pairs: readonly HedgePair[];
  onAdd: () => void;
  onOpen: (hedgeId: string) => void;
  refresh: () => void;
  onMatch: (() => void) | undefined;
}

/** The pairs of the desk with their live figures, and why each does not open now. */
export const PairsPanel = memo(function PairsPanel({ pairs, onAdd, onOpen, refresh, onMatch }: PairsPanelProps) {
  const narrow = useNarrow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they do stays the same, and new columns redraw every cell
  const columns = useMemo(() => pairColumns({ onOpen, refresh, onMatch, narrow }), [narrow, onMatch === undefined]);
  return (
    <Card
      size="small"
      className={`card ${styles.card}`}
      title={`交易对（${pairs.length}）`}
      extra={
        <Button type="primary" size="small" icon={<PlusOutlined />} onClick={onAdd}>
          添加
        </Button>
      }
    >
      <PlainTable
        sortable
        label="交易对"
        rowKey="pairId"
        columns={columns}
        rows={pairs}
        empty="还没有交易对：从中性选币挑一对，或直接添加"
      />
    </Card>
  );
});
