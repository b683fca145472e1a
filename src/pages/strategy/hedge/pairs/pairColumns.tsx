import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import type { HedgePair } from '#contract/kinds/hedge/config';
import { Amount } from '@/components/Amount';
import { Duration } from '@/components/Duration';
import { HoldTag } from '@/components/HoldTag';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { PairWarnings } from '@/components/PairWarnings';
import { Pnl } from '@/components/Pnl';
import { zBasis } from '@/components/zBasis';
import type { Column } from '@/table/column';
import { timeColumn } from '@/table/columns';
import { confirmRemove, confirmReopen, reopenVerb } from '../hedgeActions';
import desk from '../index.module.css';
import { PairCell } from '../PairCell';
import { OtherSpread } from './OtherSpread';
import styles from './pairs.module.css';

interface Does {
  onOpen: (hedgeId: string) => void;
  refresh: () => void;
  /** Goes to where the ratio is chosen that z speaks of; absent where it is chosen already. */
  onMatch: (() => void) | undefined;
  /** On a phone pinned actions would cover the figures. */
  narrow: boolean;
}

const SHORT_HISTORY = '共同历史不足';
const WINDOW = '配置中的 z 周期与窗口';

type FigureKey = { [K in keyof HedgePair]: HedgePair[K] extends number | null ? K : never }[keyof HedgePair];

function figure(
  key: FigureKey,
  title: string,
  formula: string,
  render: (value: number | null) => ReactNode,
): Column<HedgePair> {
  return {
    key,
    title,
    width: 96,
    figure: true,
    sort: 'descend',
    explain: { formula, window: WINDOW },
    render: (pair) => render(pair[key]),
    csv: (pair) => pair[key],
  };
}

const plain = (digits: number) => (value: number | null) => (
  <Amount value={value} digits={digits} reason={SHORT_HISTORY} />
);

const figuresOf = (onMatch: Does['onMatch']): Column<HedgePair>[] => [
  {
    ...figure('z', 'z', '(s − 均值) / 标准差，s = ln 多 − b ln 空，按现价', plain(2)),
    width: 136,
    render: ({ z, zBar, zBars, hedgeRatio }) => (
      <>
        <Amount value={z} signed reason={SHORT_HISTORY} />
        {zBar !== null && zBars !== null && (
          <div className="basis">{zBasis({ bars: zBars, bar: zBar, hedgeRatio })}</div>
        )}
      </>
    ),
  },
  figure('correlation', '相关', '对数收益的 Pearson 相关', plain(2)),
  {
    ...figure('ratio', '配比', '每 1 USDT 多头对应的空头名义：持有中的按开仓时，否则按配比规则', plain(3)),
    width: 128,
    render: ({ ratio, hedgeRatio }) => (
      <>
        {plain(3)(ratio)}
        <OtherSpread {...{ ratio, hedgeRatio, onMatch }} />
      </>
    ),
  },
  figure('hedgeRatio', 'b', 'ln 多 对 ln 空 的 OLS 斜率', plain(3)),
  figure('betaLong', 'beta 多', '对 BTC：cov(r, rBTC) / var(rBTC)', plain(2)),
  figure('betaShort', 'beta 空', '对 BTC：cov(r, rBTC) / var(rBTC)', plain(2)),
  figure('halfLifeHours', '半衰期', '−ln 2 / ln(1 + k)；k ≥ 0 为不回归', (value) => (
    <Duration hours={value} reason="不回归，或共同历史不足" />
  )),
  figure('adfP', 'ADF p', '价差的单位根检验，MacKinnon 1994', plain(3)),
  figure('rSquared', 'R²', '该回归的解释度', plain(2)),
  figure('fundingAprDifference', '资金费差', '空头资金费 APR − 多头资金费 APR', (value) => (
    <Pnl percent value={value} reason="该数据源没有资金费" />
  )),
];

function Status({ pair, onOpen }: { pair: HedgePair; onOpen: Does['onOpen'] }) {
  const { block, hedgeId, held } = pair;
  if (hedgeId === null && held !== null) return <HoldTag held={held} />;
  if (hedgeId === null) {
    return (
      <span className={block === null ? undefined : 'soft'}>
        {block === null ? '可以开仓' : PAIR_BLOCK_LABEL[block]}
      </span>
    );
  }
  // What else would keep it from opening matters once it is closed.
  return (
    <Tooltip title="查看对冲单">
      <Button type="link" size="small" className={styles.linkButton} onClick={() => onOpen(hedgeId)}>
        {PAIR_BLOCK_LABEL.open}
      </Button>
    </Tooltip>
  );
}

function Actions({ pair, refresh }: { pair: HedgePair; refresh: Does['refresh'] }) {
  const { block, hedgeId } = pair;
  const held = hedgeId !== null;
  const waits = !held && (block === 'used' || block === 'unarmed' || pair.held !== null);
  return (
    <span className={desk.rowActions}>
      <Tooltip title={waits ? undefined : held ? '持有中，平仓后才能再开' : '还没有开过，条件满足时会自动开仓'}>
        <Button size="small" disabled={!waits} onClick={() => confirmReopen(pair, refresh)}>
          {reopenVerb(pair)}
        </Button>
      </Tooltip>
      <Tooltip title={held ? '有未平的对冲，平仓后才能移除' : undefined}>
        <Button size="small" danger disabled={held} onClick={() => confirmRemove(pair, refresh)}>
          移除
        </Button>
      </Tooltip>
    </span>
  );
}

export function pairColumns({ onOpen, refresh, onMatch, narrow }: Does): Column<HedgePair>[] {
  const actions: Column<HedgePair> = {
    key: 'actions',
    title: '操作',
    width: narrow ? 104 : 150,
    fixed: narrow ? undefined : 'right',
    render: (pair) => <Actions pair={pair} refresh={refresh} />,
  };
  return [
    {
      key: 'pair',
      title: '多 / 空',
      width: narrow ? 170 : 190,
      fixed: 'left',
      render: ({ source, long, short, warnings }) => (
        <>
          <PairCell source={source} long={long} short={short} />
          <PairWarnings warnings={warnings} />
        </>
      ),
    },
    {
      key: 'block',
      title: '状态',
      width: narrow ? 92 : 150,
      render: (pair) => <Status pair={pair} onOpen={onOpen} />,
    },
    ...(narrow ? [actions] : []),
    ...figuresOf(onMatch),
    timeColumn<HedgePair>('triggeredAt', '最近触发', { reason: '还没有触发过' }),
    ...(narrow ? [] : [actions]),
  ];
}
