import { InputNumber } from 'antd';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { strategies } from '#contract/strategies';
import type { DealRow } from '#contract/strategyRow';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { dealName } from '@/strategy/dealActions';
import { RollQuotation } from './RollQuotation';

/** Lets the far leg go on in the next expiry, with its cost shown before. */
export const confirmRoll = (row: DealRow, done: () => void): void =>
  confirmAction({
    verb: '移仓',
    subject: dealName(row),
    consequence: <RollQuotation id={row.id} />,
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(spreadDesk.roll, { body: { id: row.id } }, { idempotencyKey });
      toast.info('正在移仓');
      done();
    },
  });

/** Moves the level that a deal is closed at. */
export function askTarget(row: DealRow, done: () => void): void {
  let level = row.exitLevel;
  confirmAction({
    verb: '改目标价',
    subject: dealName(row),
    consequence: (
      <>
        <p>F5 平仓水平不高于目标价差时平仓；留空则不按价差平仓。只改这张交易单。</p>
        <InputNumber<number>
          aria-label="目标价差"
          suffix="%"
          step={0.05}
          min={-100}
          max={100}
          precision={4}
          {...(level === null ? {} : { defaultValue: Number((level * 100).toFixed(4)) })}
          onChange={(value) => {
            level = value === null ? null : Number((value / 100).toFixed(8));
          }}
        />
      </>
    ),
    run: async ({ idempotencyKey }) => {
      await call(strategies.setExitTarget, { body: { id: row.id, exitLevel: level } }, { idempotencyKey });
      toast.success('已修改目标价差');
      done();
    },
  });
}
