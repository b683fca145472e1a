import { ComingScreen } from '@/components/ComingScreen';

export default function StrategyCexRate() {
  return <ComingScreen title="跨所费率" promise="这里将对比各交易所的资金费率，列出跨所套利机会及其成本。" />;
}
