import { history } from '@umijs/max';
import { Button, Space } from 'antd';
import { type Intervention, intervention } from '#contract/flatten';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';
import { confirmAction } from '@/components/confirmAction';
import { MoneyButton } from '@/components/MoneyButton';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { type FlattenAim, FlattenPreview } from '@/flatten/FlattenPreview';
import { call } from '@/services/call';
import { MoreActions } from '@/strategy/MoreActions';
import { realOf } from '@/strategy/realMoney';
import { confirmCloseOnly, confirmPause, confirmStart, confirmStop } from '@/strategy/strategyActions';
import type { Hands } from './hands';
import { isEditable } from './useEditing';

interface RowActionsProps extends Pick<Hands, 'limit' | 'edit' | 'clone' | 'done'> {
  /** The strategy as it is by then. */
  now: () => OverviewRow;
}

/** What its owner may do with a strategy here, and a master with another's. */
export function RowActions({ now, limit, edit, clone, done }: RowActionsProps) {
  const row = now();
  const { state, own, name, user, running, single = false } = row;
  if (!own) {
    return <MoreActions name={`${user} 的 ${name}`} items={interventionsOn(now, done)} />;
  }
  const items = [
    // What is of one deal is opened once, as it was confirmed.
    !single &&
      (isEditable(row)
        ? { key: 'edit', label: '修改', run: () => edit(now()) }
        : {
            key: 'edit',
            label: `到${STRATEGY_KIND_LABEL[row.kind]}修改`,
            run: () => history.push(`/strategy/${row.kind}`),
          }),
    isEditable(row) && { key: 'clone', label: '复制', run: () => clone(now()) },
    state !== 'closing' &&
      running > 0 && { key: 'closeOnly', label: '仅平仓', run: () => confirmCloseOnly(now(), done) },
    state !== 'stopped' && { key: 'stop', label: '停止', run: () => confirmStop(now(), done) },
  ].filter((item) => item !== false);
  return (
    <Space size={4}>
      {!single && state === 'running' && (
        <MoneyButton size="small" onClick={() => confirmPause(now(), done)}>
          暂停
        </MoneyButton>
      )}
      {!single && state !== 'running' && (
        <MoneyButton
          size="small"
          why={state === 'closing' ? '正在平仓，平完才能启动' : undefined}
          onClick={() => confirmStart(now(), done)}
        >
          {row.tripped === null ? '启动' : '恢复'}
        </MoneyButton>
      )}
      <Button size="small" onClick={() => limit(now())} aria-label={`${name} 的限额`}>
        限额
      </Button>
      <MoreActions name={name} items={items} />
    </Space>
  );
}

const REASON_LENGTH = 200;

type Whose = Pick<FlattenAim, 'strategyId' | 'userId'>;
type Real = { real?: RealMoneyAt };

const VERBS: Record<Intervention, string> = { pause: '暂停', closeOnly: '仅平仓' };

/** What a master does to another's, with a reason. */
function confirmIntervention(
  action: Intervention,
  { real, ...aim }: Whose & Real,
  subject: string,
  done: () => void,
): void {
  const isUser = aim.userId !== undefined;
  const pause = isUser
    ? '该用户的所有策略都不再开新仓；进行中的交易单照常看护与平仓。'
    : '该策略不再开新仓，持有的照常看护与平仓；无人看护的由引擎接管。';
  const closing = `${isUser ? '该用户的全部策略' : '该策略'}不再开新仓，平完即停止。`;
  confirmAction({
    verb: VERBS[action],
    subject,
    consequence:
      action === 'pause' ? (
        `${pause}原因会告诉其主人。`
      ) : (
        <FlattenPreview aim={aim} pauses={`${closing}原因会告诉其主人。`} />
      ),
    money: action === 'closeOnly',
    real,
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      const { deals } = await call(intervention.ask, { body: { ...aim, action, reason } }, { idempotencyKey });
      toast.success(action === 'pause' ? `已暂停：${subject}` : `正在平仓 ${deals} 张：${subject}`);
      done();
    },
  });
}

const flattenOf = ({ real, ...aim }: Whose & Real, subject: string, done: () => void) =>
  void import('@/flatten/confirmFlatten').then(({ confirmFlatten }) =>
    confirmFlatten({ aim, subject, others: true, real, done }),
  );

/** What a master may do with a strategy of somebody else, and with all of its owner's. */
function interventionsOn(now: () => OverviewRow, done: () => void) {
  const { id, name, user, userId, state, running, unguarded, ...row } = now();
  const strategy = `${user} 的 ${name}`;
  const own = { strategyId: id, real: realOf(row) };
  const all = { userId };
  const mayPause = state === 'running' || state === 'tripped' || unguarded !== undefined;
  return [
    mayPause && {
      key: 'pause',
      label: unguarded === undefined ? '暂停此策略' : '接管看护（策略转为暂停）',
      run: () => confirmIntervention('pause', own, strategy, done),
    },
    state !== 'closing' &&
      state !== 'stopped' && {
        key: 'closeOnly',
        label: '此策略仅平仓',
        run: () => confirmIntervention('closeOnly', own, strategy, done),
      },
    running > 0 && { key: 'flatten', label: '平掉此策略全部', run: () => flattenOf(own, strategy, done) },
    { key: 'pauseUser', label: `暂停 ${user} 开仓`, run: () => confirmIntervention('pause', all, user, done) },
    { key: 'closeUser', label: `${user} 仅平仓`, run: () => confirmIntervention('closeOnly', all, user, done) },
    { key: 'flattenUser', label: `平掉 ${user} 全部`, run: () => flattenOf(all, user, done) },
  ].filter((item) => item !== false);
}
