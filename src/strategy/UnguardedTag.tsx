import { Tag, Tooltip } from 'antd';
import type { Unguarded } from '#contract/unguarded';
import { formatDateTime } from '@/components/DateTime';

/** That a strategy was stopped with deals which nobody looks after, or that somebody does so himself. */
export function UnguardedTag({ unguarded }: { unguarded: Unguarded | undefined }) {
  if (unguarded === undefined) return null;
  const { deals, selfManaged } = unguarded;
  const said = selfManaged && `由 ${selfManaged.by} 于 ${formatDateTime(selfManaged.at)} 声明自己管；`;
  return (
    <Tooltip title={`${said ?? ''}${deals} 张交易单没有引擎看护：止损、反转与移仓都不会触发`}>
      <Tag color={selfManaged === null ? 'error' : 'default'}>
        {selfManaged === null ? '无人看护' : '自己管'} {deals}
      </Tag>
    </Tooltip>
  );
}
