import { Checkbox } from 'antd';
import type { TargetHold } from '#contract/lifecycle';
import { type StrategyRow, strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { REARM_VERB } from '@/components/labels';
import { toast } from '@/components/toast';
import { confirmOpening } from '@/opening/confirmOpening';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { legText } from './legText';

type Held = StrategyRow['targets'][number];

/** What of a strategy waits for a person in this way. */
export const heldTargets = ({ targets }: Pick<StrategyRow, 'targets'>, hold: TargetHold): Held[] =>
  targets.filter(({ held }) => held?.hold === hold);

/** Lets one target be opened again, after what it would open was shown. */
export const confirmTarget = ({ id }: { id: string }, verb: string, subject: string, done: () => void): void =>
  confirmTargets([id], verb, subject, done);

function confirmTargets(ids: string[], verb: string, subject: string, done: () => void): void {
  confirmOpening({
    verb,
    subject,
    act: 'arm',
    input: { ids },
    run: async ({ idempotencyKey, opens, words }) => {
      await call(strategies.armTargets, { body: { ids, ...opens } }, { idempotencyKey });
      toast.success(`已${verb}：${words}`);
      done();
    },
  });
}

/** Lets targets be opened again that a person closed, or opens those that nobody has confirmed; of several those that are chosen. */
export function confirmArm(name: string, hold: TargetHold, held: readonly Held[], done: () => void): void {
  const verb = REARM_VERB[hold];
  const [only] = held;
  if (held.length === 1 && only) {
    confirmTarget(only, verb, `${name} ${legText(only, 'long')}`, done);
    return;
  }
  let ids = held.map(({ id }) => id);
  confirmAction({
    verb: '下一步',
    subject: `${name} 要${verb}哪些`,
    consequence: (
      <Checkbox.Group
        aria-label="标的"
        defaultValue={ids}
        onChange={(chosen) => {
          ids = chosen;
        }}
        options={held.map((target) => ({ value: target.id, label: legText(target, 'long') }))}
      />
    ),
    run: async () => {
      if (ids.length === 0) throw new CallError('', '请至少选一个标的');
      confirmTargets(ids, verb, name, done);
    },
  });
}
