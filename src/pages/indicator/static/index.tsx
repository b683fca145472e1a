import { ComingScreen } from '@/components/ComingScreen';

export default function IndicatorStatic() {
  return <ComingScreen title="中性实盘统计" promise="这里将统计全部实盘对冲的净值、回撤、胜率与盈亏归因。" />;
}
