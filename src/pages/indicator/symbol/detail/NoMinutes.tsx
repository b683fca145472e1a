import { MOST_WATCHED } from '#contract/candle';
import { EmptyState } from '@/components/EmptyState';
import { Star } from '@/components/Star';
import { useStars } from '@/services/stars';

/** Minutes are collected of what somebody watches: how this coin comes to be one of them. */
export function NoMinutes({ coin }: { coin: string }) {
  const isStarred = useStars()?.has(coin) === true;
  const whose = `只收集持仓、运行中的策略与自选的币种，每个数据源最多 ${MOST_WATCHED} 个，持仓优先。`;
  return (
    <EmptyState
      title="还没有分钟线"
      description={whose + (isStarred ? '已加星标，一两分钟内开始收集，先补最近一天。' : '加星标后开始收集。')}
    >
      {!isStarred && <Star coin={coin} />}
    </EmptyState>
  );
}
