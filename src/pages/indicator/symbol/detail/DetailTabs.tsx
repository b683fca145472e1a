import { Card, Spin, Tabs } from 'antd';
import { type ReactNode, Suspense } from 'react';
import type { SymbolDetail } from '#contract/symbol';
import { late } from '@/components/late';
import { WhenSeen } from '@/components/WhenSeen';
import { type TABS, useDetailState } from './useDetailState';
import type { Own } from './useOwn';

const CONTENT = {
  funding: { label: '资金费', Content: late(() => import('./FundingTab')) },
  depth: { label: '深度与成本', Content: late(() => import('./DepthTab')) },
  pairs: { label: '配对', Content: late(() => import('./PairsTab')) },
  statistics: { label: '统计', Content: late(() => import('./StatisticsTab')) },
  evaluate: { label: '评价', Content: late(() => import('./EvaluateTab')) },
};
const InterestTab = late(() => import('./InterestTab'));
const OwnTab = late(() => import('./OwnTab'));

/** px */
const CONTENT_HEIGHT = 480;

const whenSeen = (key: string, content: ReactNode) => (
  <WhenSeen key={key} height={CONTENT_HEIGHT} ahead={0}>
    <Suspense fallback={<Spin />}>{content}</Suspense>
  </WhenSeen>
);

interface DetailTabsProps {
  detail: SymbolDetail;
  /** What the reader traded; undefined for nothing. */
  own: Own | undefined;
}

/**
 * Funding, open interest where it is collected, depth, pairs, statistics, evaluations and the reader's own deals; the open one is in the address. They wait until they are
 * seen: the chart comes first.
 */
export function DetailTabs({ detail, own }: DetailTabsProps) {
  const [{ tab }, setState] = useDetailState();
  const items = Object.entries(CONTENT).map(([key, { label, Content }]) => ({
    ...{ key, label },
    children: whenSeen(key, <Content detail={detail} />),
  }));
  if (detail.sampledAt !== null)
    items.splice(1, 0, {
      ...{ key: 'interest', label: '持仓量与溢价' },
      children: whenSeen('interest', <InterestTab detail={detail} />),
    });
  if (own) {
    // With none there may still be fills of nobody's deal.
    const label = own.total > 0 ? `我的 ${own.total}` : '我的';
    items.push({ key: 'own', label, children: whenSeen('own', <OwnTab own={own} />) });
  }
  return (
    <Card size="small">
      <Tabs
        activeKey={items.some(({ key }) => key === tab) ? tab : 'funding'}
        items={items}
        onChange={(key) => setState({ tab: key as (typeof TABS)[number] }, { replace: true })}
      />
    </Card>
  );
}
