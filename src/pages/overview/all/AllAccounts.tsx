import { Alert, Button, Card, Segmented, Select, Tag } from 'antd';
import { Fragment, useMemo, useRef } from 'react';
import { AccountRow, account } from '#contract/account';
import { service } from '#contract/service';
import { STRATEGY_MODES, type StrategyMode } from '#contract/strategy';
import { CLEARABLE } from '@/components/clearable';
import { formatDateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { FigureTiles } from '@/components/FigureTiles';
import { LiveStatus } from '@/components/LiveStatus';
import { LiveTag } from '@/components/LiveTag';
import { useNarrow } from '@/components/useNarrow';
import { usePreparing } from '@/components/usePreparing';
import { textCodec, useQueryState, wordCodec } from '@/components/useQueryState';
import { Waiting } from '@/components/Waiting';
import { modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import { Outages } from '@/strategy/Outages';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { untold } from '@/table/untold';
import styles from '../index.module.css';
import { AllEquityCard } from './AllEquityCard';
import { RunningCard } from './RunningCard';
import { totalTiles } from './totalTiles';

const REFRESH_MS = 5_000;
const codecs = { userId: textCodec(), mode: wordCodec(STRATEGY_MODES, null) };

/** Everybody's accounts together and one by one, and all that runs; narrowed to a user by the address. */
export default function AllAccounts() {
  const [{ userId, mode }, change] = useQueryState(codecs);
  const missing = usePreparing();
  const query = { ...(mode !== null && { mode }), ...(userId !== '' && { userId }) };
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, isLoading, retry, updatedAt } = useCall(account.all, { query }, options);
  const trading = useCall(service.environment, {}).data?.trading;
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
    return <Waiting className={styles.waiting} rows={14} />;
  }
  const choose = (next: string) => change({ userId: next });
  return (
    <>
      <div className={styles.head}>
        <Select
          allowClear={CLEARABLE}
          showSearch={{ optionFilterProp: 'label' }}
          className={styles.user}
          aria-label="用户"
          placeholder="全部用户"
          options={data.users.map(({ id, name }) => ({ value: id, label: name }))}
          value={userId || undefined}
          onChange={(next) => choose(next ?? '')}
        />
        {(data.hasReal || mode === 'live') && (
          <Segmented
            aria-label="模式"
            options={STRATEGY_MODES.map((value) => ({ value, label: modeLabel(value) }))}
            value={mode ?? data.mode}
            onChange={(next) => change({ mode: next, userId: '' })}
          />
        )}
        <LiveStatus polledOnly polledAt={updatedAt} />
      </div>
      <Outages />
      {error && <Alert type="error" showIcon title={`账户读取失败：${error.message}。下方是上一次读到的数据。`} />}
      {data.list.length === 0 ? (
        <EmptyState title={data.users.length === 0 ? '还没有账户' : '这个用户没有账户'} />
      ) : (
        <>
          <Card
            size="small"
            title={
              <>
                {userId === '' ? `合计（${data.list.length} 个用户）` : data.list[0]!.user} <LiveTag mode={data.mode} />
                {data.mode === 'paper' && trading !== undefined && trading !== 'paper' && (
                  <Tag>{modeLabel('paper')}</Tag>
                )}
              </>
            }
          >
            <FigureTiles
              label="合计"
              tiles={totalTiles(data)}
              inputAt={formatDateTime(data.at, 'second')}
              missing={missing}
            />
          </Card>
          {/* No row of play money stands there for a moment as one of real money. */}
          <AccountsCard key={data.mode} rows={data.list} mode={data.mode} onChoose={choose} missing={missing} />
          <RunningCard userId={userId} />
          <AllEquityCard curve={data.curve} />
        </>
      )}
    </>
  );
}

interface AccountsCardProps {
  rows: readonly AccountRow[];
  mode: StrategyMode;
  onChoose: (userId: string) => void;
  /** Why no figure can be told yet; absent: they can. */
  missing: string | undefined;
}

/** The accounts one by one: a table, and cards on a phone. */
function AccountsCard({ rows, mode, onChoose, missing }: AccountsCardProps) {
  const narrow = useNarrow();
  const latest = useRef(onChoose);
  latest.current = onChoose;
  const columns = useMemo(
    () =>
      untold(
        accountColumns(mode, (userId) => latest.current(userId)),
        missing,
      ),
    [mode, missing],
  );
  const [, , ...figures] = columns;
  const card = columnsCard(columns, {
    label: ({ user }) => user,
    head: ['user', 'paused'],
    end: [],
    figures: figures.map(({ key }) => key),
    across: 3,
  });
  return (
    <Card size="small" title="账户">
      {narrow ? (
        <div className={styles.positions}>
          {rows.map((row) => (
            <Fragment key={row.userId}>{card(row)}</Fragment>
          ))}
        </div>
      ) : (
        <PlainTable sortable label="账户" rowKey="userId" columns={columns} rows={rows} />
      )}
    </Card>
  );
}

const stateOf = ({ enabled, paused }: AccountRow): string => (paused ? '已暂停' : enabled ? '启用' : '停用');

const StateTag = ({ row }: { row: AccountRow }) => (
  <Tag color={row.paused ? 'warning' : row.enabled ? 'success' : 'default'}>{stateOf(row)}</Tag>
);

/** @param onChoose narrows the screen to one user. */
const accountColumns = (mode: StrategyMode, onChoose: (userId: string) => void) =>
  schemaColumns(AccountRow, {
    widths: { user: 108, paused: 84, net: 118 },
    own: [
      {
        key: 'user',
        fixed: 'left',
        render: ({ user, userId }) => (
          <>
            <Button type="link" size="small" onClick={() => onChoose(userId)}>
              {user}
            </Button>
            <LiveTag mode={mode} />
          </>
        ),
      },
      // The hedge desk trades with play money alone: of real money it is whether any strategy runs.
      {
        key: 'paused',
        ...(mode === 'live' && { title: '策略' }),
        render: (row) => <StateTag row={row} />,
        csv: stateOf,
      },
    ],
  });
