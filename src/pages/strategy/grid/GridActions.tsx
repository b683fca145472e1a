import { Button, Space } from 'antd';
import { Suspense, useState } from 'react';
import type { GridRow } from '#contract/kinds/grid/deal';
import { Amount } from '@/components/Amount';
import { late } from '@/components/late';
import { Price } from '@/components/Price';
import type { GridChange } from './GridDialog';

const GridDialog = late(() => import('./GridDialog'));

interface GridActionsProps {
  row: GridRow;
  /** Nobody would do anything of it. */
  unguarded: boolean;
  isReplayed: boolean;
  onReplay: (isReplayed: boolean) => void;
  onDone: () => void;
}

/** What a person does to a grid that stands, and to its params. */
export function GridActions({ row, unguarded, isReplayed, onReplay, onDone }: GridActionsProps) {
  const [change, setChange] = useState<GridChange>();
  const { dealId, state, market, lower, upper, cells, capital, leverage } = row;
  const stands = dealId !== null && state === 'open' && !unguarded;
  const now = {
    cells: (
      <>
        现在 <Price value={lower} /> – <Price value={upper} />
      </>
    ),
    amount: (
      <>
        现在投入 <Amount value={capital} unit="USDT" />，{leverage.toFixed(2)} 倍
      </>
    ),
  };
  return (
    <Space size={4} wrap>
      {stands && (
        <>
          <Button size="small" onClick={() => setChange('cells')}>
            移动区间
          </Button>
          {market !== 'spot' && (
            <Button size="small" onClick={() => setChange('amount')}>
              追加投入
            </Button>
          )}
        </>
      )}
      <Button size="small" aria-expanded={isReplayed} onClick={() => onReplay(!isReplayed)}>
        回测
      </Button>
      {change && dealId !== null && (
        <Suspense fallback={null}>
          <GridDialog
            {...{ change, dealId, onDone, cells }}
            cell={{ notional: (capital * leverage) / cells, margin: capital / cells }}
            now={now[change]}
            onClose={() => setChange(undefined)}
          />
        </Suspense>
      )}
    </Space>
  );
}
