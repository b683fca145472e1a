import { history } from '@umijs/max';
import { Button, Form, Space, Tooltip } from 'antd';
import { useEffect, useState } from 'react';
import type { BacktestValues } from './backtestValues';

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
      <UseInTrade />
    </Space>
  );
}

/** Takes the pair to the hedges; there each side is one coin. */
function UseInTrade() {
  const form = Form.useFormInstance<BacktestValues>();
  const long = Form.useWatch('long', form) ?? [];
  const short = Form.useWatch('short', form) ?? [];
  const complete = long.length > 0 && short.length > 0;
  const singles = long.length === 1 && short.length === 1;
  const why = complete ? '对冲的每一边只能是一个币种：下一步从篮子里各选一个' : '先选多头与空头';
  const go = () => {
    const pair = { source: form.getFieldValue('source') as string, long: long.join(','), short: short.join(',') };
    history.push(`/strategy/hedge?${new URLSearchParams(pair)}`);
  };
  return (
    <Tooltip title={singles ? undefined : why}>
      <Button disabled={!complete} onClick={go}>
        用于实盘
      </Button>
    </Tooltip>
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
