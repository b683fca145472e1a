import { Card, Spin, Tabs } from 'antd';
import { Suspense } from 'react';
import type { SymbolDetail } from '#contract/symbol';
import { late } from '@/components/late';
import { WhenSeen } from '@/components/WhenSeen';
import { TABS, useDetailState } from './useDetailState';

const CONTENT = {
  funding: { label: '资金费', Content: late(() => import('./FundingTab')) },
  statistics: { label: '统计', Content: late(() => import('./StatisticsTab')) },
  evaluate: { label: '评价', Content: late(() => import('./EvaluateTab')) },
};

/** px */
const CONTENT_HEIGHT = 480;

/** Funding, statistics and evaluations; the open one is in the address. They wait until they are seen: the chart comes first. */
export function DetailTabs({ detail }: { detail: SymbolDetail }) {
  const [{ tab }, setState] = useDetailState();
  const items = TABS.map((key) => {
    const { label, Content } = CONTENT[key];
    const children = (
      <WhenSeen key={key} height={CONTENT_HEIGHT} ahead={0}>
        <Suspense fallback={<Spin />}>
          <Content detail={detail} />
        </Suspense>
      </WhenSeen>
    );
    return { key, label, children };
  });
  return (
    <Card size="small">
      <Tabs
        activeKey={tab}
        items={items}
        onChange={(key) => setState({ tab: key as (typeof TABS)[number] }, { replace: true })}
      />
    </Card>
  );
}
