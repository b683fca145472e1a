import { useId, useState } from 'react';
import { DEAL_LIMITS, type DealLimit, type DealLimits, type DealOutlook } from '#contract/dealOutlook';
import { hedge } from '#contract/kinds/hedge/desk';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import ConfirmBody from '@/components/ConfirmBody';
import { durationText } from '@/components/Duration';
import { formatNumber } from '@/components/formatNumber';
import { NumberInput } from '@/components/NumberInput';
import { openDialog } from '@/components/openDialog';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { numberError } from '@/form/rulesOf';
import { scaledFacts } from '@/form/schemaForm';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import styles from './dealOutlook.module.css';

interface LimitedDeal {
  id: string;
  kind: StrategyKind;
  subject: string;
  real: RealMoneyAt;
}

type Known = Pick<DealOutlook, 'limits' | 'bounds' | 'limitBase' | 'rules'>;

const FIELDS: Record<DealLimit, { label: string; unit: string; scale: number; decimals: number; step: number }> = {
  stopLoss: { label: '止损', unit: '%', scale: 100, decimals: 4, step: 0.5 },
  takeProfit: { label: '止盈', unit: '%', scale: 100, decimals: 4, step: 0.5 },
  maxHoldingHours: { label: '最长持有', unit: '小时', scale: 1, decimals: 0, step: 24 },
};
/** Kinds that have a call of their own. */
const OWN_CALL: Partial<Record<StrategyKind, typeof hedge.setLimits>> = { hedge: hedge.setLimits };
const CONFLICT = 409;

const shownOf = (limits: DealLimits): DealLimit[] => DEAL_LIMITS.filter((key) => limits[key] !== undefined);

/** What moving the limits of a deal is called, by those that it has. */
export const limitsVerb = (limits: DealLimits): string =>
  `改${shownOf(limits)
    .map((key) => FIELDS[key].label)
    .join(' / ')}`;

/** Asks for other limits of one deal that is held. */
export const askLimits = (deal: LimitedDeal, known: Known, done: () => void): void =>
  openDialog(`${limitsVerb(known.limits)}：${deal.subject}`, 520, (close) => (
    <LimitsBody deal={deal} known={known} done={done} onClose={close} />
  ));

interface LimitsBodyProps {
  deal: LimitedDeal;
  known: Known;
  done: () => void;
  onClose: () => void;
}

function LimitsBody({ deal: { id, kind, subject, real }, known: first, done, onClose }: LimitsBodyProps) {
  const [known, knows] = useState(first);
  const [typed, change] = useState<DealLimits>({});
  const field = useId();
  const limits = { ...known.limits, ...typed };
  const shown = shownOf(known.limits);
  const atOnce = closingAtOnce(limits, known);
  const isChanged = shown.some((key) => (limits[key] ?? null) !== (known.limits[key] ?? null));
  const isWrong = shown.some((key) => errorOf(known, key, limits[key] ?? null) !== null);
  return (
    <ConfirmBody
      action={{
        verb: '保存',
        subject,
        money: true,
        real,
        waits: !isChanged || isWrong,
        content: [limits, known.limits],
        consequence: (
          <div className={styles.limits}>
            <p>只改这一张，留空为不设；策略与以后的交易单不变。改动记入时间线与审计。</p>
            {shown.map((key) => {
              const { label, unit, scale, decimals, step } = FIELDS[key];
              const value = limits[key] ?? null;
              const error = errorOf(known, key, value);
              return (
                <div key={key} className={styles.limit}>
                  <span>{label}</span>
                  <NumberInput<number>
                    aria-label={label}
                    suffix={unit}
                    step={step}
                    {...(decimals === 0 ? { precision: 0 } : {})}
                    value={value === null ? null : Number((value * scale).toFixed(decimals))}
                    status={error === null ? '' : 'error'}
                    aria-describedby={`${field}-${key}`}
                    onChange={(now) => change({ ...typed, [key]: now === null ? null : keptOf(key, now) })}
                  />
                  <span id={`${field}-${key}`} className={error === null ? 'soft' : styles.atOnce}>
                    {error ?? meaningOf(key, value, known.limitBase)}
                    {value !== (known.limits[key] ?? null) && `；原来 ${limitText(key, known.limits[key] ?? null)}`}
                  </span>
                </div>
              );
            })}
            {atOnce && !isWrong && <p className={styles.atOnce}>按现在的{atOnce}，保存后会立即平仓。</p>}
          </div>
        ),
        run: async ({ idempotencyKey }) => {
          const body = { id, limits, was: known.limits };
          try {
            await call(OWN_CALL[kind] ?? strategies.setLimits, { body }, { idempotencyKey });
          } catch (error) {
            // What somebody else has moved is seen before it is moved again.
            if (error instanceof CallError && error.code === CONFLICT)
              knows(await call(strategies.dealOutlook, { query: { id } }));
            throw error;
          }
          toast.success('已修改');
          done();
        },
      }}
      onClose={onClose}
    />
  );
}

/** What was typed, with as many digits as its field shows. */
function keptOf(key: DealLimit, typed: number): number {
  const { scale, decimals } = FIELDS[key];
  return Number((Number(typed.toFixed(decimals)) / scale).toFixed(8));
}

/** What is wrong with a limit by the params of its kind, as its field has it. */
function errorOf({ bounds }: Known, key: DealLimit, value: number | null): string | null {
  if (value === null) return null;
  const { label, scale, decimals } = FIELDS[key];
  return numberError(label, scaledFacts(bounds?.[key] ?? {}, scale), Number((value * scale).toFixed(decimals)));
}

/** A limit as its field has it. */
function limitText(key: DealLimit, value: number | null): string {
  const { unit, scale, decimals } = FIELDS[key];
  return value === null ? '不设' : `${Number((value * scale).toFixed(decimals))} ${unit}`;
}

/** What a limit comes to. */
function meaningOf(key: DealLimit, value: number | null, base: number): string {
  if (value === null) return '不设';
  if (key === 'maxHoldingHours') return durationText(value);
  const amount = formatNumber(value * base, { digits: 2 });
  return key === 'stopLoss' ? `净盈亏 ≤ -${amount} USDT 时平` : `净盈亏 ≥ ${amount} USDT 时平`;
}

/** What would close the deal as soon as these limits are saved, in words; null for nothing. */
function closingAtOnce(
  { stopLoss, takeProfit, maxHoldingHours }: DealLimits,
  { rules, limitBase }: Known,
): string | null {
  const nowOf = (by: 'net' | 'held') => rules.find((rule) => rule.by === by)?.now ?? null;
  const [net, held] = [nowOf('net'), nowOf('held')];
  if (net !== null && stopLoss != null && net <= -stopLoss * limitBase) return '净亏损';
  if (net !== null && takeProfit != null && net >= takeProfit * limitBase) return '净盈利';
  return held !== null && maxHoldingHours != null && held >= maxHoldingHours ? '持有时间' : null;
}
