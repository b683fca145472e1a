import { Checkbox, Input } from 'antd';
import { ORDER_LIVE, ORDER_PURPOSES, ORDER_STATES } from '#contract/lifecycle';
import { market } from '#contract/market';
import { ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_STATE_LABEL, ORDER_TYPE_LABEL } from '@/components/labels';
import { SymbolSelect } from '@/components/SymbolSelect';
import { useCall } from '@/services/useCall';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { PeriodFilter } from '@/table/PeriodFilter';
import { type ChangeOrders, type OrderState, orderQuery } from './orderQuery';
import styles from './trades.module.css';

const ROLES = optionsOf({ '1': '挂单', '0': '吃单' });
const REDUCES = optionsOf({ '1': '只减仓', '0': '非只减仓' });
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

/** What orders and fills are narrowed down by; all of it is in the URL. */
export function OrderFilters({ state, change, accounts }: OrderFiltersProps) {
  const sources = useCall(market.source, {});
  const filter = (next: Partial<OrderState>) => change({ ...next, current: 1 });
  const users = accounts.map(({ userId, user }) => ({ value: userId, label: user }));
  const markets = (sources.data?.list ?? []).map(({ source, label }) => ({ value: source, label }));
  return (
    <FilterBar filtered={orderQuery.isFiltered(state)} onClear={() => change(orderQuery.clear)}>
      <Input.Search
        allowClear
        className={styles.search}
        placeholder="委托 / 成交 / 对冲单编号"
        aria-label="编号"
        key={state.search}
        defaultValue={state.search}
        onSearch={(search) => filter({ search: search.trim() })}
      />
      <PeriodFilter label="期间" state={state} onChange={filter} />
      <FilterSelect
        searchable
        label="账户"
        options={users}
        value={state.userId || null}
        onChange={(userId) => filter({ userId: userId ?? '' })}
      />
      <FilterSelect
        label="交易所"
        options={markets}
        value={state.source || null}
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
      <FilterSelect label="方向" options={SIDES} value={state.side} onChange={(side) => filter({ side })} />
      <FilterSelect label="类型" options={TYPES} value={state.type} onChange={(type) => filter({ type })} />
      <FilterSelect label="来源" options={PURPOSES} value={state.purpose} onChange={(purpose) => filter({ purpose })} />
      {state.tab !== 'fills' && (
        <FilterSelect
          label="状态"
          options={STATES_OF[state.tab]}
          value={state.state}
          onChange={(next) => filter({ state: next })}
        />
      )}
      <FilterSelect label="成交角色" options={ROLES} value={state.maker} onChange={(maker) => filter({ maker })} />
      <FilterSelect
        label="只减仓"
        options={REDUCES}
        value={state.reduceOnly}
        onChange={(reduceOnly) => filter({ reduceOnly })}
      />
      {state.tab === 'ended' && (
        <Checkbox
          className={styles.tick}
          checked={state.refused}
          onChange={({ target }) => filter({ refused: target.checked })}
        >
          只看被拒绝
        </Checkbox>
      )}
    </FilterBar>
  );
}
