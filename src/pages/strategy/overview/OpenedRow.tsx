import { Link } from '@umijs/max';
import { Tabs } from 'antd';
import type { OverviewRow } from '#contract/strategyOverview';
import { OpenDeals } from './OpenDeals';
import { OpenOrders } from './OpenOrders';
import { OwnEvents } from './OwnEvents';
import styles from './overview.module.css';

/** What a strategy holds, what rests for it, and what happened to it last. */
export const OpenedRow = ({ row }: { row: OverviewRow }) => (
  <Tabs
    className={styles.opened}
    size="small"
    items={[
      { key: 'deals', label: '持有的交易单', children: <OpenDeals row={row} /> },
      { key: 'orders', label: '当前委托', children: <OpenOrders row={row} /> },
      { key: 'events', label: '最近事件', children: <OwnEvents row={row} /> },
    ]}
    tabBarExtraContent={<Link to={`/strategy/order?tab=ended&strategyId=${row.id}`}>全部委托</Link>}
  />
);
