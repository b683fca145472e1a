import { flatten } from '#contract/flatten';
import { confirmAction } from '@/components/confirmAction';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { type FlattenAim, FlattenPreview } from './FlattenPreview';
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
  return `同时暂停${whose}开仓：平掉的不会自己再开，恢复要另外操作。${told}`;
};

/** Closes all that is aimed at, of every kind: says before what that is, and shows what comes of it. */
export function confirmFlatten({ aim, verb = '全部平仓', subject, others = false, real, done }: Asked): void {
  confirmAction({
    verb,
    subject,
    consequence: <FlattenPreview aim={aim} pauses={pausesOf(aim, others)} />,
    money: true,
    real,
    ...(others && { reason: { required: true, maxLength: REASON_LENGTH } }),
    run: async ({ reason, idempotencyKey }) => {
      const body = { ...aim, ...(reason === '' ? {} : { reason }) };
      const { id, deals } = await call(flatten.ask, { body }, { idempotencyKey });
      done();
      if (id === null) toast.success('没有可平的交易单，不再开新仓');
      else {
        toast.info(`${aim.strategyId === undefined ? '已暂停开仓，' : ''}正在平仓 ${deals} 张`);
        showReport(id);
      }
    },
  });
}
