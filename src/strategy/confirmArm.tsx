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

type Held = StrategyRow['targets'][number];

/** What of a strategy waits for a person in this way. */
export const heldTargets = ({ targets }: Pick<StrategyRow, 'targets'>, hold: TargetHold): Held[] =>
  targets.filter(({ held }) => held?.hold === hold);

/** Both legs with their venues where these differ: the two ways of an arbitrage differ in nothing else. */
const legsText = (target: Held): string =>
  target.long === target.short && target.longSource === target.shortSource
    ? target.long
    : `多 ${legText(target, 'long')} / 空 ${legText(target, 'short')}`;

/** Lets one target be opened again, after what it would open was shown. */
export const confirmTarget = ({ id }: { id: string }, verb: string, subject: string, done: () => void): void =>
  confirmTargets([id], verb, subject, done);

function confirmTargets(all: string[], verb: string, subject: string, done: () => void, choose?: Choose): void {
  const idsOf = (picked: string[]) => (choose ? picked : all);
  confirmOpening({
    verb,
    subject,
    choose,
    act: 'arm',
    input: (picked) => ({ ids: idsOf(picked) }),
    run: async ({ idempotencyKey, opens, words }, picked) => {
      await call(strategies.armTargets, { body: { ids: idsOf(picked), ...opens } }, { idempotencyKey });
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
    confirmTarget(only, verb, `${name} ${sidesText(only)}`, done);
    return;
  }
  const ids = held.map(({ id }) => id);
  confirmTargets(ids, verb, name, done, {
    label: '标的',
    options: held.map((target) => ({ value: target.id, label: legsText(target) })),
    chosen: ids,
    least: '请至少选一个标的。',
  });
}
