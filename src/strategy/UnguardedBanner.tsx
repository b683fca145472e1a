import { Link } from '@umijs/max';
import { Space } from 'antd';
import { STRATEGY_KIND_LABEL, type StrategyKind } from '#contract/strategy';
import { ActionAlert } from '@/components/ActionAlert';
import { DateTime } from '@/components/DateTime';
import { MoneyButton } from '@/components/MoneyButton';
import { useHeld } from '@/flatten/useHeld';
import type { Left } from './unguardedActions';

const actions = () => import('./unguardedActions');

interface UnguardedBannerProps {
  /** Of one kind alone. */
  kind?: StrategyKind;
  /** Something was done about it. */
  done?: () => void;
}

/** What the user has stopped with its deals: nobody looks after them until somebody does something about it. */
export function UnguardedBanner({ kind, done }: UnguardedBannerProps) {
  const { data, mutate } = useHeld();
  const left = data?.unguarded.filter((row) => kind === undefined || row.kind === kind) ?? [];
  const acted = () => {
    void mutate();
    done?.();
  };
  return left.map((row) => <OneLeft key={row.strategyId} row={row} linked={kind === undefined} done={acted} />);
}

function OneLeft({ row, linked, done }: { row: Left; linked: boolean; done: () => void }) {
  const { strategyId, kind, name, deals, selfManaged } = row;
  const buttons = (
    <Space size={4} wrap>
      <MoneyButton size="small" type="primary" onClick={() => void actions().then((m) => m.confirmGuard(row, done))}>
        接管看护
      </MoneyButton>
      <MoneyButton size="small" danger onClick={() => void actions().then((m) => m.confirmCloseLeft(row, done))}>
        全部平掉
      </MoneyButton>
      {selfManaged === null && (
        <MoneyButton size="small" onClick={() => void actions().then((m) => m.confirmSelfManage(row, done))}>
          我自己管
        </MoneyButton>
      )}
    </Space>
  );
  const named = linked ? <Link to={`/strategy/${kind}?strategy=${strategyId}`}>{name}</Link> : name;
  return (
    <ActionAlert
      type={selfManaged === null ? 'error' : 'info'}
      title={
        selfManaged === null ? (
          <>
            无人看护：{STRATEGY_KIND_LABEL[kind]} · {named} 停止时保留了 {deals} 张交易单，止损、反转与移仓都不会触发。
          </>
        ) : (
          <>
            自己管：{STRATEGY_KIND_LABEL[kind]} · {named} 的 {deals} 张交易单没有引擎看护，由 {selfManaged.by} 于{' '}
            <DateTime value={selfManaged.at} /> 声明自己管。
          </>
        )
      }
      action={buttons}
    />
  );
}
