import { Checkbox, Input } from 'antd';
import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint';
import { ORDER_TYPE_LABEL } from '#contract/kinds/hedge/config';
import { ORDER_LIVE, ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_STATE_LABEL } from '#contract/lifecycle';
import { market } from '#contract/market';
import type { order } from '#contract/order';
import { SymbolSelect } from '@/components/SymbolSelect';
import { venueLabel } from '@/scan/venueLabel';
import { HOME_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';
import { useVenues } from '@/services/useVenues';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { FoldedFilters } from '@/table/FoldedFilters';
import { PeriodFilter } from '@/table/PeriodFilter';
import { type ChangeOrders, type OrderState, orderQuery, type Tab } from './orderQuery';
import styles from './trades.module.css';

const ROLES = optionsOf({ '1': '挂单', '0': '吃单' });
const REDUCES = optionsOf({ '1': '只减仓', '0': '非只减仓' });
const SIDES = optionsOf(ORDER_SIDE_LABEL);
const TYPES = optionsOf(ORDER_TYPE_LABEL);
const PURPOSES = optionsOf(ORDER_PURPOSE_LABEL);
const STATES = optionsOf(ORDER_STATE_LABEL);
const STATES_OF = {
  live: STATES.filter(({ value }) => ORDER_LIVE.includes(value)),
  ended: STATES.filter(({ value }) => !ORDER_LIVE.includes(value)),
};

/** Those that the tab's orders may be in; a link may ask for another one, which has its word as well. */
const statesOf = (tab: keyof typeof STATES_OF, asked: OrderState['state']) => {
  const other = STATES.filter(({ value }) => value === asked && !STATES_OF[tab].some((one) => one.value === value));
  return [...STATES_OF[tab], ...other];
};

interface OrderFiltersProps {
  state: OrderState;
  change: ChangeOrders;
  accounts: DataOf<typeof order.accounts>['list'];
}

/** What may be chosen: of the chosen user, or of everybody under the user's name. */
function placesOf(users: OrderFiltersProps['accounts'], userId: string) {
  const chosen = users.filter((one) => userId === '' || one.userId === userId);
  const named = (user: string, words: string) => (userId === '' ? `${user} · ${words}` : words);
  const places = chosen.flatMap(({ user, accounts }) =>
    accounts.map(({ id, name, venue }) => ({ value: id, label: named(user, `${name}（${venueLabel(venue)}）`) })),
  );
  const strategies = chosen.flatMap(({ user, strategies: own }) =>
    own.map(({ id, name }) => ({ value: id, label: named(user, name) })),
  );
  return { places, strategies };
}

/** What orders and fills are narrowed down by; all of it is in the URL. */
export function OrderFilters({ state, change, accounts }: OrderFiltersProps) {
  const sources = useCall(market.source, {});
  const filter = (next: Partial<OrderState>) => change({ ...next, current: 1 });
  const users = accounts.map(({ userId, user }) => ({ value: userId, label: user }));
  const imported = (sources.data?.list ?? []).filter(({ kind }) => kind === 'imported');
  const markets = [
    ...useVenues().map((value) => ({ value, label: venueLabel(value) })),
    ...imported.map(({ source, label }) => ({ value: source, label })),
  ];
  const { places, strategies } = placesOf(accounts, state.userId);
  /** What is set is seen. */
  const of = (name: keyof OrderState, field: ReactNode) => ({
    ...{ name, field },
    stays: state[name] !== null && state[name] !== '' && state[name] !== false,
  });
  const side = of(
    'side',
    <FilterSelect label="方向" options={SIDES} value={state.side} onChange={(next) => filter({ side: next })} />,
  );
  const refused = (
    <Checkbox
      className={styles.tick}
      checked={state.refused}
      onChange={({ target }) => filter({ refused: target.checked })}
    >
      只看被拒绝
    </Checkbox>
  );
  const ofTab = (tab: Tab) =>
    tab === 'fills'
      ? [side]
      : [
          of(
            'state',
            <FilterSelect
              label="状态"
              options={statesOf(tab, state.state)}
              value={state.state}
              onChange={(next) => filter({ state: next })}
            />,
          ),
          ...(tab === 'live' ? [] : [of('refused', refused)]),
          side,
        ];
  const filters = [
    of('period', <PeriodFilter label="期间" state={state} onChange={filter} />),
    of(
      'symbol',
      <SymbolSelect
        multiple
        aria-label="合约"
        placeholder="合约（可多选）"
        source={state.source || HOME_SOURCE}
        value={state.symbol}
        onChange={(symbol) => filter({ symbol })}
      />,
    ),
    ...ofTab(state.tab),
    of(
      'userId',
      <FilterSelect
        searchable
        label="用户"
        options={users}
        value={state.userId || null}
        onChange={(userId) => filter({ userId: userId ?? '', accountId: '', strategyId: '' })}
      />,
    ),
    of(
      'accountId',
      <FilterSelect
        searchable
        label="账户"
        options={places}
        value={state.accountId || null}
        onChange={(accountId) => filter({ accountId: accountId ?? '' })}
      />,
    ),
    of(
      'strategyId',
      <FilterSelect
        searchable
        label="策略"
        options={strategies}
        value={state.strategyId || null}
        onChange={(strategyId) => filter({ strategyId: strategyId ?? '' })}
      />,
    ),
    of(
      'source',
      <FilterSelect
        label="交易所"
        options={markets}
        value={state.source || null}
        onChange={(source) => filter({ source: source ?? '' })}
      />,
    ),
    of('type', <FilterSelect label="类型" options={TYPES} value={state.type} onChange={(type) => filter({ type })} />),
    of(
      'purpose',
      <FilterSelect
        label="来源"
        options={PURPOSES}
        value={state.purpose}
        onChange={(purpose) => filter({ purpose })}
      />,
    ),
    of(
      'maker',
      <FilterSelect label="成交角色" options={ROLES} value={state.maker} onChange={(maker) => filter({ maker })} />,
    ),
    of(
      'reduceOnly',
      <FilterSelect
        label="只减仓"
        options={REDUCES}
        value={state.reduceOnly}
        onChange={(reduceOnly) => filter({ reduceOnly })}
      />,
    ),
  ];
  return (
    <FilterBar filtered={orderQuery.isFiltered(state)} onClear={() => change(orderQuery.clear)}>
      <Input.Search
        allowClear
        className={styles.search}
        placeholder="委托 / 成交 / 交易单编号"
        aria-label="编号"
        key={state.search}
        defaultValue={state.search}
        onSearch={(search) => filter({ search: search.trim() })}
      />
      <FoldedFilters filters={filters} more="更多筛选" />
    </FilterBar>
  );
}
