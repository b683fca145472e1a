import { FilterOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input, Select } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { ORDER_LIVE, ORDER_PURPOSES, ORDER_STATES } from '#contract/lifecycle';
import { market } from '#contract/market';
import { ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_STATE_LABEL, ORDER_TYPE_LABEL } from '@/components/labels';
import { SymbolSelect } from '@/components/SymbolSelect';
import { useCall } from '@/services/useCall';
import { FilterSelect, optionsOf } from './FilterSelect';
import styles from './index.module.css';
import { type ChangeOrders, isFiltered, NO_FILTER, type OrderState } from './orderQuery';

const DayRange = lazy(() => import('@/components/DayRange'));

const PERIODS = { today: '今天', '7d': '近 7 天', '30d': '近 30 天', '90d': '近 90 天', custom: '自定义' } as const;
const ROLES = { '1': '挂单', '0': '吃单' } as const;
const REDUCES = { '1': '只减仓', '0': '非只减仓' } as const;
const SIDES = optionsOf(ORDER_SIDE_LABEL);
const TYPES = optionsOf(ORDER_TYPE_LABEL);
const PURPOSES = ORDER_PURPOSES.map((value) => ({ value, label: ORDER_PURPOSE_LABEL[value] }));
const STATES = ORDER_STATES.map((value) => ({ value, label: ORDER_STATE_LABEL[value] }));
const STATES_OF = {
  live: STATES.filter(({ value }) => ORDER_LIVE.includes(value)),
  ended: STATES.filter(({ value }) => !ORDER_LIVE.includes(value)),
};

interface OrderFiltersProps {
  state: OrderState;
  change: ChangeOrders;
  accounts: readonly { userId: string; user: string }[];
}

/** What orders and fills are narrowed down by; all of it stands in the URL. On a phone it folds behind one button. */
export function OrderFilters({ state, change, accounts }: OrderFiltersProps) {
  const [open, setOpen] = useState(false);
  const sources = useCall(market.source, {});
  const filter = (next: Partial<OrderState>) => change({ ...next, current: 1 });
  const users = accounts.map(({ userId, user }) => ({ value: userId, label: user }));
  const markets = (sources.data?.list ?? []).map(({ source, label }) => ({ value: source, label }));
  const select = { state, filter };
  return (
    <search className={styles.filters}>
      <Button
        className={styles.unfold}
        icon={<FilterOutlined />}
        aria-expanded={open}
        type={isFiltered(state) ? 'primary' : 'default'}
        onClick={() => setOpen(!open)}
      >
        筛选
      </Button>
      <div className={`${styles.more} ${open ? styles.open : ''}`}>
        <Input.Search
          allowClear
          className={styles.search}
          placeholder="委托 / 成交 / 对冲单编号"
          aria-label="编号"
          key={state.search}
          defaultValue={state.search}
          onSearch={(search) => filter({ search: search.trim() })}
        />
        <FilterSelect
          {...select}
          name="period"
          label="期间"
          options={optionsOf(PERIODS)}
          also={{ start: null, end: null }}
        />
        {state.period === 'custom' && (
          <Suspense fallback={null}>
            <DayRange start={state.start} end={state.end} onChange={filter} />
          </Suspense>
        )}
        <Select
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="账户"
          aria-label="账户"
          options={users}
          value={state.userId || undefined}
          onChange={(userId) => filter({ userId: userId ?? '' })}
        />
        <Select
          allowClear
          placeholder="交易所"
          aria-label="交易所"
          options={markets}
          value={state.source || undefined}
          onChange={(source) => filter({ source: source ?? '' })}
        />
        <SymbolSelect
          multiple
          aria-label="合约"
          placeholder="合约（可多选）"
          source={state.source || 'simulated'}
          value={state.symbol}
          onChange={(symbol) => filter({ symbol })}
        />
        <FilterSelect {...select} name="side" label="方向" options={SIDES} />
        <FilterSelect {...select} name="type" label="类型" options={TYPES} />
        <FilterSelect {...select} name="purpose" label="来源" options={PURPOSES} />
        {state.tab !== 'fills' && <FilterSelect {...select} name="state" label="状态" options={STATES_OF[state.tab]} />}
        <FilterSelect {...select} name="maker" label="成交角色" options={optionsOf(ROLES)} />
        <FilterSelect {...select} name="reduceOnly" label="只减仓" options={optionsOf(REDUCES)} />
        {state.tab === 'ended' && (
          <Checkbox
            className={styles.tick}
            checked={state.refused}
            onChange={({ target }) => filter({ refused: target.checked })}
          >
            只看被拒绝
          </Checkbox>
        )}
        {isFiltered(state) && (
          <Button type="link" onClick={() => change(NO_FILTER)}>
            清除筛选
          </Button>
        )}
      </div>
    </search>
  );
}
