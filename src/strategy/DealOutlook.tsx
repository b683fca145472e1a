import { Alert, Skeleton } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ExitRule } from '#contract/dealOutlook';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { ErrorState } from '@/components/ErrorState';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { MoneyButton } from '@/components/MoneyButton';
import { Pnl } from '@/components/Pnl';
import type { RealMoneyAt } from '@/components/RealMoney';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { askLimits, limitsVerb } from './dealLimits';
import styles from './dealOutlook.module.css';
import { exitText, gateText, standText } from './exitRule';
import { Waterfall } from './Waterfall';
import { type Held, whyHeld } from './whyHeld';

const REFRESH_MS = 5_000;

const COLUMNS: Column<ExitRule>[] = [
  { key: 'reason', title: '平仓条件', width: 88, render: ({ reason }) => CLOSE_REASON_LABEL[reason] },
  { key: 'at', title: '到这里就平', width: 180, render: exitText },
  { key: 'now', title: '现在', width: 104, render: standText },
  {
    key: 'gate',
    title: '说明',
    width: 160,
    render: ({ gate, isMet }) => (isMet ? '已到，等待平仓' : gate && <span className="soft">{gateText(gate)}</span>),
  },
];

interface DealOutlookProps {
  deal: Held & { id: string };
  kind: StrategyKind;
  /** What it is called. */
  subject: string;
  real: RealMoneyAt;
  /** When `deal` was read, UTC ms: this is read again right after, so that both tell of the same moment. Absent: by itself. */
  readAt?: number | undefined;
  /** Why it is held where no rule closes it; absent: until somebody closes it. */
  unruled?: string | undefined;
}

/** Why a deal is held on, when it will be closed, what closing it now brings, and what its profit is made up of. */
export default function DealOutlook({ deal, kind, subject, real, readAt, unruled }: DealOutlookProps) {
  const hasEnded = HEDGE_ENDS.includes(deal.state);
  const { data, error, retry, mutate } = useCall(
    strategies.dealOutlook,
    { query: { id: deal.id } },
    { refreshInterval: hasEnded || readAt !== undefined ? 0 : REFRESH_MS },
  );
  const again = useRef(mutate);
  again.current = mutate;
  const first = useRef(readAt);
  useEffect(() => {
    if (readAt !== first.current) void again.current();
  }, [readAt]);
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : <Skeleton active />;
  const { rules, netClosed, waterfall } = data;
  return (
    <div className={styles.outlook}>
      {!hasEnded && (
        <div className={styles.why}>
          <dl>
            <Fact name="为何还持有">{whyHeld(deal, rules, unruled)}</Fact>
            <Fact name="现在平得">
              <Pnl value={netClosed} unit="USDT" reason="没有可用的盘口价格" />
              <span className="soft">（整单净盈亏，已扣平仓手续费与滑点）</span>
            </Fact>
          </dl>
          {deal.state === 'open' && !deal.unguarded && !deal.closeAsked && (
            <MoneyButton
              size="small"
              onClick={() => askLimits({ id: deal.id, kind, subject, real }, data, () => void mutate())}
            >
              {limitsVerb(data.limits)}
            </MoneyButton>
          )}
          {rules.length > 0 && <PlainTable label="何时会平" rowKey={ruleKey} columns={COLUMNS} rows={rules} />}
          {error && <Alert type="warning" banner title={`数据停滞：${error.message}`} />}
        </div>
      )}
      <Waterfall waterfall={waterfall} />
    </div>
  );
}

const ruleKey = ({ reason, by }: ExitRule) => `${reason} ${by}`;

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
