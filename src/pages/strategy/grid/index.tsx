import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyGrid() {
  return <ComingScreen title="花式网格" promise="这里将创建与管理网格策略，并显示每格的挂单、成交与收益。" />;
}
