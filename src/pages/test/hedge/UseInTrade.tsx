import { ProForm } from '@ant-design/pro-components';
import { history } from '@umijs/max';
import { Button, Tooltip } from 'antd';
import type { BacktestResult } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { formatNumber } from '@/components/formatNumber';
import type { BacktestValues } from './backtestValues';
import { hasUtcDays } from './hasUtcDays';

/** How a liquidated run ended, and what of it goes along. */
function ruinOf(result: BacktestResult, leverage: number): string {
  const { finalEquity } = result.summary;
  const at = formatDateTime(result.end, 'minute', hasUtcDays(result));
  const rest = finalEquity > 0 ? `只剩 ${formatNumber(finalEquity, { digits: 0 })} USDT` : '归零';
  return `这次回测在 ${at} 爆仓，权益${rest}。带过去的杠杆是 ${leverage} 倍、配比是等额；下一步会列出它们与对冲配置的差异。`;
}

/** Takes the pair, the leverage and the ratio to the hedges; there each side is one coin. */
export function UseInTrade({ result }: { result: BacktestResult | undefined }) {
  const form = ProForm.useFormInstance<BacktestValues>();
  const long = ProForm.useWatch('long', form) ?? [];
  const short = ProForm.useWatch('short', form) ?? [];
  const complete = long.length > 0 && short.length > 0;
  const singles = long.length === 1 && short.length === 1;
  const why = complete ? '对冲的每一边只能是一个币种：下一步从篮子里各选一个' : '先选多头与空头';
  const go = () => {
    const { source, leverage } = form.getFieldsValue();
    const sides = { source, long: long.join(','), short: short.join(',') };
    // A run holds as much of one side as of the other.
    const carried = { leverage: String(leverage), ratio: 'equal' };
    history.push(`/strategy/hedge?${new URLSearchParams({ ...sides, ...carried })}`);
  };
  const ask = async () => {
    const isSame = String(result?.long) === String(long) && String(result?.short) === String(short);
    if (!result?.summary.liquidated || !isSame) return go();
    const { confirmAction } = await import('@/components/confirmAction');
    confirmAction({
      verb: '用于模拟对冲',
      subject: `多 ${long.join(' + ')} / 空 ${short.join(' + ')}`,
      consequence: ruinOf(result, form.getFieldValue('leverage')),
      run: async () => go(),
    });
  };
  return (
    <Tooltip title={singles ? undefined : why}>
      <Button disabled={!complete} onClick={() => void ask()}>
        用于模拟对冲
      </Button>
    </Tooltip>
  );
}
