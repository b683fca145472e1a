import { Alert, Skeleton } from 'antd';
import { useState } from 'react';
import { spreadDesk } from '#contract/kinds/spread/desk';
import type { Leg } from '#contract/lifecycle';
import { strategies } from '#contract/strategies';
import type { DealRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { confirmAction } from '@/components/confirmAction';
import { DateTime } from '@/components/DateTime';
import { NumberInput } from '@/components/NumberInput';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import { toast } from '@/components/toast';
import { ObstacleTags } from '@/scan/ObstacleTags';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { useCloseQuote } from '@/strategy/CloseQuotation';
import { dealName } from '@/strategy/dealActions';
import { FigureList } from '@/strategy/FigureList';
import { realOfDeal } from '@/strategy/realMoney';
import styles from '@/strategy/strategy.module.css';

/** Lets the far leg go on in the next expiry, with its cost shown before. */
export const confirmRoll = (row: DealRow, done: () => void): void =>
  confirmAction({
    verb: '移仓',
    subject: dealName(row),
    consequence: <RollQuotation id={row.id} />,
    money: true,
    real: realOfDeal(row),
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
      <Target
        row={row}
        onChange={(next) => {
          level = next;
        }}
      />
    ),
    real: realOfDeal(row),
    run: async ({ idempotencyKey }) => {
      await call(strategies.setExitTarget, { body: { id: row.id, exitLevel: level } }, { idempotencyKey });
      toast.success('已修改目标价差');
      done();
    },
  });
}

interface TargetProps {
  row: DealRow;
  /** A fraction; null: not by the level. */
  onChange: (level: number | null) => void;
}

/** The level that is asked for, beside what closing comes to now: at once, where that is no higher. */
function Target({ row: { id, exitLevel }, onChange }: TargetProps) {
  const [level, setLevel] = useState(exitLevel);
  const { data } = useCloseQuote('交易单', { id, percent: 100, maker: false });
  const priceOf = (name: Leg) => data?.legs.find(({ leg }) => leg === name)?.price ?? null;
  const [long, short] = [priceOf('long'), priceOf('short')];
  const now = long === null || short === null ? null : short / long - 1;
  return (
    <>
      <p>F5 平仓水平不高于目标价差时平仓；留空则不按价差平仓。只改这张交易单。</p>
      <p>
        现在的平仓水平 <Percent value={now} digits={3} signed reason={NO_BOOK} />
      </p>
      <NumberInput<number>
        aria-label="目标价差"
        suffix="%"
        step={0.05}
        min={-100}
        max={100}
        precision={4}
        {...(exitLevel === null ? {} : { defaultValue: Number((exitLevel * 100).toFixed(4)) })}
        onChange={(value) => {
          const next = value === null ? null : Number((value / 100).toFixed(8));
          setLevel(next);
          onChange(next);
        }}
      />
      {now !== null && level !== null && level >= now && (
        <Alert type="warning" showIcon title="现在的平仓水平已不高于它：改后会立即平仓" />
      )}
    </>
  );
}

const REFRESH_MS = 3_000;
const NO_BOOK = '盘口装不下这个数量';

/** What letting the far leg of a deal go on in the next expiry would cost now, read again while it is looked at. */
function RollQuotation({ id }: { id: string }) {
  const { data, error } = useCall(spreadDesk.rollQuote, { query: { id } }, { refreshInterval: REFRESH_MS });
  if (data === undefined && error) return <Alert type="warning" showIcon title={error.message} />;
  if (data === undefined) return <Skeleton active title={false} />;
  const {
    from,
    to,
    expiresAt,
    quantity,
    closePrice,
    openPrice,
    gap,
    fees,
    slippage,
    cost,
    netApr,
    obstacles,
    refusal,
  } = data;
  const figures = [
    ['数量（每腿）', <Amount key="quantity" value={quantity} digits={4} />],
    [`平 ${from}`, <Price key="close" value={closePrice} unit="USDT" reason={NO_BOOK} />],
    [`开 ${to}`, <Price key="open" value={openPrice} unit="USDT" reason={NO_BOOK} />],
    ['移仓价差', <Percent key="gap" value={gap} digits={3} signed reason={NO_BOOK} />],
    ['两笔手续费', <Amount key="fees" value={fees} unit="USDT" reason={NO_BOOK} />],
    ['两笔滑点', <Amount key="slippage" value={slippage} unit="USDT" reason={NO_BOOK} />],
    ['移仓成本', <Amount key="cost" value={cost} unit="USDT" reason={NO_BOOK} />],
    ['新的名义净年化', <Percent key="apr" value={netApr} signed reason={NO_BOOK} />],
  ] as const;
  return (
    <div className={styles.preview}>
      <p>
        先开下一到期的远腿，成交后接过近腿（不买卖），再平掉现在的远腿。新的远腿没有成交时原交易单不变；其间多占一腿保证金。
      </p>
      {refusal && <Alert type="error" showIcon title={refusal} />}
      <FigureList label="移仓报价" figures={figures.map(([label, figure]) => ({ label, figure }))} />
      <span className="soft">
        下一到期 <DateTime value={expiresAt} /> <ObstacleTags obstacles={obstacles} />
      </span>
    </div>
  );
}
