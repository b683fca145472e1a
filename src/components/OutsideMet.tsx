import { Alert } from 'antd';
import type { OutsideMet as Met } from '#contract/opening';

/** That what would be opened is set off against what an account holds outside of deals, each contract once; nothing where nothing is. */
export function OutsideMet({ rows }: { rows: readonly { outside?: Met }[] }) {
  const met = new Set(
    rows.flatMap(({ outside = [] }) => outside.map(({ symbol, quantity }) => `${symbol} ${quantity}`)),
  );
  if (met.size === 0) return null;
  return (
    <Alert type="warning" showIcon title={`账户里已有外部持仓 ${[...met].join('、')}：开仓会与它相抵，先平掉或接管`} />
  );
}
