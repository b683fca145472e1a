import type { UserRow } from '#contract/userAdmin';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Pnl } from '@/components/Pnl';
import { roleLabel } from '@/components/roleLabel';
import { CardFigures, RowCard } from '@/table/RowCard';
import { UserActions } from './UserActions';
import { hedgingText, StatusTag } from './userColumns';

/** A user on a phone. */
export const UserCard = ({ row }: { row: UserRow }) => (
  <RowCard
    label={row.name}
    head={
      <>
        <span>
          <strong>{row.name}</strong> <span className="soft">{roleLabel(row.role)}</span>
        </span>
        <span>
          <StatusTag row={row} />
          <UserActions row={row} />
        </span>
      </>
    }
  >
    <CardFigures
      columns={2}
      figures={[
        ['权益', <Amount key="equity" value={row.equity} unit="USDT" />],
        ['30 日盈亏', <Pnl key="pnl" value={row.pnl30d} unit="USDT" />],
        ['对冲', hedgingText(row) ?? '没有配置'],
        ['两步验证', row.secondFactor ? '已开启' : '未开启'],
        ['最近登录', <DateTime key="login" value={row.lastLoginAt} reason="还没有登录过" />],
        ['登录 IP', row.lastLoginAddress ?? '-'],
      ]}
    />
  </RowCard>
);
