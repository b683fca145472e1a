import { useState } from 'react';
import { flatten } from '#contract/flatten';
import ConfirmBody from '@/components/ConfirmBody';
import { openDialog } from '@/components/openDialog';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { type FlattenAim, FlattenPlan, useFlattenPreview } from './FlattenPreview';
import { showReport } from './showReport';

const REASON_LENGTH = 200;

interface Asked {
  aim: FlattenAim;
  /** 全部平仓 unless told. */
  verb?: string;
  /** Whose deals, in words. */
  subject: string;
  /** Somebody else's: masters say why, and the owner is told. */
  others?: boolean;
  real?: RealMoneyAt;
  done: () => void;
}

const pausesOf = ({ strategyId, everybody }: FlattenAim, others: boolean): string => {
  const told = others ? '原因会告诉其主人。' : '';
  if (strategyId !== undefined) return `不再开新仓，平完即停止。${told}`;
  const whose = everybody ? '所有用户' : others ? '该用户' : '你的账户';
  return `同时暂停${whose}开仓：平掉的不会自己再开，等待中的单笔随之撤销，恢复要另外操作。${told}`;
};

const realAt = (sources: readonly string[]): RealMoneyAt => (sources.length === 0 ? null : sources);

/** Closes all that is aimed at, of every kind: says before what that is, and shows what comes of it. */
export const confirmFlatten = (asked: Asked): void =>
  openDialog(`${asked.verb ?? '全部平仓'}：${asked.subject}`, 520, (close) => (
    <FlattenBody asked={asked} onClose={close} />
  ));

function FlattenBody({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { aim, verb = '全部平仓', subject, others = false, real, done } = asked;
  const isStrategy = aim.strategyId !== undefined;
  // What hedges stock stays unless that is chosen; a strategy that is closed ends with it.
  const [stays, setStays] = useState(!isStrategy);
  const reading = useFlattenPreview({ ...aim, ...(stays && { keepsHedges: true }) });
  // Where nothing could be read of them they stay too: nobody has chosen otherwise.
  const keepsHedges = stays && reading.data?.hedges.deals !== 0;
  return (
    <ConfirmBody
      action={{
        verb,
        subject,
        consequence: (
          <FlattenPlan
            reading={reading}
            pauses={pausesOf(aim, others)}
            {...(!isStrategy && { hedges: { stay: stays, onStay: setStays } })}
          />
        ),
        money: true,
        real: reading.data === undefined ? real : realAt(reading.data.real),
        content: keepsHedges,
        ...(others && { reason: { required: true, maxLength: REASON_LENGTH } }),
        run: async ({ reason, idempotencyKey }) => {
          const body = { ...aim, ...(keepsHedges && { keepsHedges }), ...(reason === '' ? {} : { reason }) };
          const { id, deals } = await call(flatten.ask, { body }, { idempotencyKey });
          done();
          if (id === null) toast.success('没有可平的交易单，不再开新仓');
          else {
            toast.info(`${isStrategy ? '' : '已暂停开仓，'}正在平仓 ${deals} 张`);
            showReport(id);
          }
        },
      }}
      onClose={onClose}
    />
  );
}
