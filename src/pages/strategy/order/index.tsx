import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyOrder() {
  return <ComingScreen title="订单列表" promise="这里将列出全部策略的订单与成交，可筛选、撤单与导出。" />;
}
