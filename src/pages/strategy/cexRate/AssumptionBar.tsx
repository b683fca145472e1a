import { Button, Segmented, Select } from 'antd';
import type { ReactNode } from 'react';
import { RATE_ENTRIES, RATE_EXITS, type RateEntry, type RateExit } from '#contract/kinds/cexRate/scan';
import { LEGS_ENTRY_LABEL } from '#contract/legsEntry';
import { Explained } from '@/components/Explained';
import { HeldBox } from '@/scan/AssumptionBox';
import styles from './assumptions.module.css';
import { RESTING_LEG } from './form';
import { AS_TRADED, type ChangeRates, isAsTraded, type RateState, TIERS } from './rateQuery';

const RATE_ENTRY_LABEL: Record<RateEntry, string> = { taker: LEGS_ENTRY_LABEL.market, maker: LEGS_ENTRY_LABEL.maker };
const EXIT_LABEL: Record<RateExit, string> = { counted: '计入', rolled: '不计' };
const TIER_OPTIONS = TIERS.map((value) => ({ value, label: `VIP ${value}` }));

const labelled = <W extends string>(words: readonly W[], labels: Record<W, string>) =>
  words.map((value) => ({ value, label: labels[value] }));

const Assumed = ({ label, why, children }: { label: string; why: string; children: ReactNode }) => (
  <span className={styles.one}>
    <span className="missing">
      <Explained text={why}>{label}</Explained>
    </span>
    {children}
  </span>
);

interface AssumptionBarProps {
  state: RateState;
  change: ChangeRates;
}

/** What every row assumes of entry, exit, fee tier and days; a change is worked out for all rows at once. */
export function AssumptionBar({ state, change }: AssumptionBarProps) {
  // What was right for one assumption may be another page under the next.
  const assume = (next: Partial<RateState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  return (
    <>
      <Assumed
        label="开仓"
        why={`${LEGS_ENTRY_LABEL.maker}：挂单省得多的一腿收挂单费，成交后另一腿吃单对冲。价格仍按吃单估，不把点差算作收入。用行建的策略按所选方式下单；实际挂的是${RESTING_LEG}。`}
      >
        <Segmented
          aria-label="开仓方式"
          options={labelled(RATE_ENTRIES, RATE_ENTRY_LABEL)}
          value={state.entry}
          onChange={(entry) => assume({ entry })}
        />
      </Assumed>
      <Assumed
        label="平仓"
        why="计入：两笔平仓吃单手续费与 F5 平仓价差。不计（展期）：到期接着持有，平仓不收费，两所中间价之差不变。"
      >
        <Segmented
          aria-label="平仓成本"
          options={labelled(RATE_EXITS, EXIT_LABEL)}
          value={state.exit}
          onChange={(exit) => assume({ exit })}
        />
      </Assumed>
      <Assumed label="等级" why="手续费等级，两所同一等级。模拟交易所的 VIP 1、VIP 2 手续费为 VIP 0 的 80 %、70 %。">
        <Select
          aria-label="费率等级"
          className={styles.tier}
          options={TIER_OPTIONS}
          value={state.tier}
          onChange={(tier) => assume({ tier })}
        />
      </Assumed>
      <HeldBox prefix="持有" width={100} hours={state.hours} onChange={(hours) => assume({ hours }, true)} />
      {!isAsTraded(state) && (
        <span className="missing">
          策略的开仓条件仍按{LEGS_ENTRY_LABEL.market}、计入平仓、VIP 0 计算
          {state.entry === 'maker' && `，用行建的策略按${LEGS_ENTRY_LABEL.maker}下单`}
          <Button type="link" size="small" onClick={() => assume(AS_TRADED)}>
            按实际
          </Button>
        </span>
      )}
    </>
  );
}
