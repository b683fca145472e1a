import { Link } from '@umijs/max';
import { Space } from 'antd';
import { STRATEGY_KINDS } from '#contract/strategy';
import { EmptyState } from '@/components/EmptyState';
import { KINDS } from '@/kinds';

/** Instead of strategies where there are none: where those of each kind are set up. */
export function NoStrategies({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="没有符合筛选的策略" description="清除筛选就是全部" />;
  return (
    <EmptyState title="还没有策略" description="在各策略页面新建：">
      <Space size={16} wrap>
        {STRATEGY_KINDS.map((kind) => (
          <Link key={kind} to={`/strategy/${kind}`}>
            {KINDS[kind].label}
          </Link>
        ))}
      </Space>
    </EmptyState>
  );
}
