import { Button } from 'antd';
import { market } from '#contract/market';
import { EmptyState } from '@/components/EmptyState';
import { useCall } from '@/services/useCall';

interface FirstRunProps {
  source: string;
  onExample: (long: string, short: string) => void;
}

/** What the screen is for, and an example that exists in the chosen source. */
export default function FirstRun({ source, onExample }: FirstRunProps) {
  const { data } = useCall(market.symbol, { query: { source } });
  const symbols = (data?.list ?? []).map(({ symbol }) => symbol);
  const known = ['BTCUSDT', 'ETHUSDT'].every((symbol) => symbols.includes(symbol));
  const [long, short] = known ? ['BTCUSDT', 'ETHUSDT'] : symbols;
  return (
    <EmptyState
      title="选择多头与空头，看这对组合过去的表现"
      description="多空两边各占一半敞口，用已存的 K 线与资金费逐根计算，计入手续费与滑点；每边可以是一个币种，也可以是一篮子。"
    >
      {long !== undefined && short !== undefined && (
        <Button type="primary" onClick={() => onExample(long, short)}>
          试一个例子：做多 {long}，做空 {short}
        </Button>
      )}
    </EmptyState>
  );
}
