import type { TargetHold } from '#contract/lifecycle';
import { strategies } from '#contract/strategies';
import type { StrategyRow } from '#contract/strategyRow';
import { REARM_VERB } from '@/components/labels';
import { toast } from '@/components/toast';
import { confirmOpening } from '@/opening/confirmOpening';
import type { Choose } from '@/opening/OpeningBody';
import { sidesText } from '@/opening/openingLabels';
import { call } from '@/services/call';
import { legText } from './legText';
import { realOf, typedOf } from './realMoney';

type Held = StrategyRow['targets'][number];
type ArmedTarget = Pick<Held, 'id' | 'long' | 'longSource' | 'shortSource'>;

/** What of a strategy waits for a person in this way. */
export const heldTargets = ({ targets, single }: Pick<StrategyRow, 'targets' | 'single'>, hold: TargetHold): Held[] =>
  // What is of one deal is opened once, as it was confirmed.
  single === undefined ? targets.filter(({ held }) => held?.hold === hold) : [];

/** Both legs with their venues where these differ: the two ways of an arbitrage differ in nothing else. */
const legsText = (target: Held): string =>
  target.long === target.short && target.longSource === target.shortSource
    ? target.long
    : `多 ${legText(target, 'long')} / 空 ${legText(target, 'short')}`;

interface Asked {
  verb: string;
  subject: string;
  mode: StrategyRow['mode'];
  choose?: Choose;
  done: () => void;
}

/** Lets targets be opened again, after what they would open was shown. */
export function confirmTargets(all: readonly ArmedTarget[], { verb, subject, mode, choose, done }: Asked): void {
  const idsOf = (picked: string[]) => (choose ? picked : all.map(({ id }) => id));
  const real = { mode, name: subject, targets: all };
  confirmOpening({
    ...{ verb, subject, choose, real: realOf(real), typed: typedOf(real) },
    act: 'arm',
    input: (picked) => ({ ids: idsOf(picked) }),
    run: async ({ idempotencyKey, opens, words, typed }, picked) => {
      const body = { ids: idsOf(picked), ...(typed !== '' && { typed }), ...opens };
      await call(strategies.armTargets, { body }, { idempotencyKey });
      toast.success(`已${verb}：${words}`);
      done();
    },
  });
}

/** Lets targets be opened again that a person closed, or opens those that nobody has confirmed; of several those that are chosen. */
export function confirmArm(
  { name, mode, targets }: Pick<StrategyRow, 'name' | 'mode' | 'targets'>,
  hold: TargetHold,
  done: () => void,
): void {
  const held = heldTargets({ targets }, hold);
  const asked = { verb: REARM_VERB[hold], mode, done };
  const [only] = held;
  if (held.length === 1 && only) {
    confirmTargets(held, { ...asked, subject: `${name} ${sidesText(only)}` });
    return;
  }
  confirmTargets(held, {
    ...asked,
    subject: name,
    choose: {
      label: '标的',
      options: held.map((target) => ({ value: target.id, label: legsText(target) })),
      chosen: held.map(({ id }) => id),
      least: '请至少选一个标的。',
    },
  });
}
