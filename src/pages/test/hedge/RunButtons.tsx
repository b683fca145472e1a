import { Button, Space } from 'antd';
import { useEffect, useState } from 'react';
import type { BacktestResult } from '#contract/backtest';
import { UseInTrade } from './UseInTrade';

interface RunButtonsProps {
  running: boolean;
  onCancel: () => void;
  /** The newest run, whose pair may be traded. */
  result: BacktestResult | undefined;
}

/** Runs and cancels; the live button says why it cannot be used yet. */
export function RunButtons({ running, onCancel, result }: RunButtonsProps) {
  const seconds = useSeconds(running);
  return (
    <Space wrap>
      <Button type="primary" htmlType="submit" loading={running}>
        {running ? `正在计算 ${seconds} 秒` : '运行回测'}
      </Button>
      {running && <Button onClick={onCancel}>取消</Button>}
      <UseInTrade result={result} />
    </Space>
  );
}

/** Whole seconds since `running` became true. */
function useSeconds(running: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!running) return;
    setSeconds(0);
    const tick = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(tick);
  }, [running]);
  return seconds;
}
