import { Button, Space, Tooltip } from 'antd';
import { useEffect, useState } from 'react';

interface RunButtonsProps {
  running: boolean;
  onCancel: () => void;
}

/** Runs and cancels; the live button says why it cannot be used yet. */
export function RunButtons({ running, onCancel }: RunButtonsProps) {
  const seconds = useSeconds(running);
  return (
    <Space wrap>
      <Button type="primary" htmlType="submit" loading={running}>
        {running ? `正在计算 ${seconds} 秒` : '运行回测'}
      </Button>
      {running && <Button onClick={onCancel}>取消</Button>}
      <Tooltip title="多空对冲页面建成后开放：届时会把这对币种与参数带入对冲配置">
        <Button disabled>用于实盘</Button>
      </Tooltip>
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
