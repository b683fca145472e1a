import { Card, Spin, Tabs } from 'antd';
import { lazy, Suspense } from 'react';
import type { SymbolDetail } from '#contract/symbol';
import { TABS, useDetailState } from './useDetailState';

const CONTENT = {
  funding: { label: '资金费', Content: lazy(() => import('./FundingTab')) },
  statistics: { label: '统计', Content: lazy(() => import('./StatisticsTab')) },
  evaluate: { label: '评价', Content: lazy(() => import('./EvaluateTab')) },
};

/** Funding, statistics and evaluations; the open one is in the address. */
export function DetailTabs({ detail }: { detail: SymbolDetail }) {
  const [{ tab }, setState] = useDetailState();
  const items = TABS.map((key) => {
    const { label, Content } = CONTENT[key];
    return { key, label, children: <Suspense fallback={<Spin />}>{<Content detail={detail} />}</Suspense> };
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
