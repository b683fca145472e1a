import { Alert, Radio, Skeleton } from 'antd';
import type { QueryOf } from '#contract/endpoint';
import { flatten, type FlattenPreview as Preview } from '#contract/flatten';
import { STRATEGY_KIND_LABEL, type StrategyMode } from '#contract/strategy';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { symbolsText } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { Quantity } from '@/components/Quantity';
import { venueLabel } from '@/scan/venueLabel';
import { modeLabel } from '@/services/modeLabel';
import { type CallState, useCall } from '@/services/useCall';
import styles from './flatten.module.css';
import { FLATTEN_BLOCK_LABEL } from './flattenLabels';

/** Whose deals are meant; nothing: all of one's own. */
export type FlattenAim = QueryOf<typeof flatten.preview>;

const NO_BOOK = '没有可用的盘口价格';
const REFRESH_MS = 3_000;
/** What is named before the rest is folded. */
const SHOWN = 5;

export const useFlattenPreview = (aim: FlattenAim) =>
  useCall(flatten.preview, { query: aim }, { refreshInterval: REFRESH_MS, keepPreviousData: true });

/** What closing would close now, where nothing of it is chosen. */
export const FlattenPreview = ({ aim, pauses }: { aim: FlattenAim; pauses: string }) => (
  <FlattenPlan reading={useFlattenPreview(aim)} pauses={pauses} />
);

interface FlattenPlanProps {
  reading: Pick<CallState<Preview>, 'data' | 'error'>;
  pauses: string;
  /** Whether what hedges stock stays, where that may be chosen. */
  hedges?: { stay: boolean; onStay: (stay: boolean) => void };
}

/** What closing would close now, read again while it is looked at. */
export function FlattenPlan({ reading: { data, error }, pauses, hedges }: FlattenPlanProps) {
  if (data === undefined) {
    if (error)
      return (
        <Alert
          type="warning"
          showIcon
          title={`没有报价：${error.message}。仍可平仓，成交价以盘口为准。${hedges?.stay ? '对冲套利库存的空头保留。' : ''}`}
        />
      );
    return <Skeleton active title={false} />;
  }
  if (data.deals === 0 && data.hedges.deals === 0) return <p>没有进行中的交易单。{pauses}</p>;
  return (
    <div className={`stack ${styles.preview}`}>
      <p>
        按市价平掉 <strong>{data.deals}</strong> 张交易单
        {data.users > 1 && `（${data.users} 个用户）`}
        {data.empty > 0 && `，其中 ${data.empty} 张还没有成交，撤单即结束`}
        {data.closing > 0 && `，${data.closing} 张已在平仓`}。{pauses}
      </p>
      {data.hedges.deals > 0 && <StockHedges of={data.hedges} {...hedges} />}
      <Estimates data={data} />
      {data.unpriced > 0 && <p className="soft">{data.unpriced} 张没有完整的盘口报价，不在成本与净盈亏之内。</p>}
      <Blocked data={data} />
      <Kept data={data} />
      <span className="soft">
        成本为手续费与滑点，按现在盘口一次吃完估算；净盈亏自开仓算起。更新于{' '}
        <DateTime value={data.at} precision="second" />
        {error && `，报价停滞：${error.message}`}
      </span>
    </div>
  );
}

interface StockHedgesProps {
  of: Preview['hedges'];
  /** Absent where they are closed in any case. */
  stay?: boolean;
  onStay?: (stay: boolean) => void;
}

/** The shorts that hedge the stock of strategies: what becomes of that stock without them. */
const StockHedges = ({ of: { deals, notional }, stay, onStay }: StockHedgesProps) => (
  <Alert
    type="warning"
    title={
      <>
        有 {deals} 张空头对冲套利策略的库存，名义 <Amount value={notional} unit="USDT" digits={0} reason="没有标记价" />
        。库存不属于交易单，不会卖出
        {onStay ? '：' : '；空头平掉后它的涨跌由账户承担。要卖出，先把每所库存改为 0。'}
      </>
    }
    description={
      onStay && (
        <Radio.Group
          value={stay}
          onChange={({ target }) => onStay(target.value)}
          options={[
            { value: true, label: '保留这些空头，库存继续有对冲' },
            { value: false, label: '一起平掉，库存的涨跌由账户承担' },
          ]}
        />
      )
    }
  />
);

function Estimates({ data }: { data: Preview }) {
  // Real money and play money are no sum.
  const isMixed = data.modes.length > 1;
  const rowOf = <R extends { mode: StrategyMode }>(key: string, label: string, row: R) => ({
    ...row,
    key: `${key} ${row.mode}`,
    label: isMixed ? `${label} · ${modeLabel(row.mode)}` : label,
  });
  const rows = data.kinds.map(({ kind, ...row }) => rowOf(kind, STRATEGY_KIND_LABEL[kind], row));
  if (rows.length > data.modes.length) rows.push(...data.modes.map((row) => rowOf('all', '合计', row)));
  return (
    <table className={styles.figures} aria-label="会平掉的">
      <thead>
        <tr>
          {['类型', '张', '名义', '预计成本', '平后净盈亏'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, deals, notional, cost, net }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td className="figure">{deals}</td>
            <td>
              <Amount money digits={0} value={notional} reason="没有标记价" />
            </td>
            <td>
              <Amount money value={cost} reason={NO_BOOK} />
            </td>
            <td>
              <Pnl value={net} reason={NO_BOOK} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Blocked({ data: { blocked, blockedTotal } }: { data: Preview }) {
  if (blockedTotal === 0) return null;
  const line = ({ id, user, strategy, symbols, why, detail }: Preview['blocked'][number]) => (
    <li key={id}>
      {user} · {strategy} · {symbolsText(symbols)}：{detail ?? FLATTEN_BLOCK_LABEL[why]}
    </li>
  );
  return (
    <Alert
      type="warning"
      title={`${blockedTotal} 张不能立即平掉`}
      description={
        <>
          <ul className={styles.list}>{blocked.slice(0, SHOWN).map(line)}</ul>
          {blocked.length > SHOWN && (
            <details>
              <summary>另有 {blockedTotal - SHOWN} 张</summary>
              <ul className={styles.list}>{blocked.slice(SHOWN).map(line)}</ul>
            </details>
          )}
        </>
      }
    />
  );
}

/** What no deal holds stays where it is, and is not to be taken for closed. */
function Kept({ data: { kept, own } }: { data: Preview }) {
  if (kept.length === 0) return null;
  return (
    <details>
      <summary>账户里 {kept.length} 项持有不属于任何交易单，不会平掉</summary>
      <ul className={styles.list}>
        {kept.map(({ user, source, symbol, quantity, value }) => (
          <li key={`${user} ${source} ${symbol}`}>
            {own ? '' : `${user} · `}
            {symbol}（{venueLabel(source)}）<Quantity value={Number(quantity)} />
            {value !== null && (
              <>
                ，约 <Amount value={value} unit="USDT" />
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
