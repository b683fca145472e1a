import { Alert, Skeleton, Tag } from 'antd';
import { flatten, type FlattenReport as Report, type ReportDeal } from '#contract/flatten';
import { ORDER_SIDE_LABEL } from '#contract/lifecycle';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { LiveTag } from '@/components/LiveTag';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL, symbolsText } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { useNarrow } from '@/components/useNarrow';
import { venueLabel } from '@/scan/venueLabel';
import { modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from './flatten.module.css';
import { bpsOf, scopeText, secondsText } from './flattenLabels';

/** While something is left. */
const REFRESH_MS = 1_000;
const NO_MID = '请求时没有中间价';
const NOT_YET = '还没有成交';

type ReportLeg = ReportDeal['legs'][number];

/** What became of a request to close everything; live until nothing is left. */
export function FlattenReport({ id }: { id: string }) {
  const { data, error, retry } = useCall(flatten.report, { query: { id } }, { refreshInterval: REFRESH_MS });
  const narrow = useNarrow();
  if (data === undefined) {
    return error ? <ErrorState error={error} onRetry={() => void retry()} /> : <Skeleton active />;
  }
  return (
    <div className={`stack ${styles.report}`}>
      <Progress report={data} />
      <Sums report={data} />
      {narrow ? (
        <div className={styles.cards}>
          {data.list.map((row) => (
            <DealCard key={row.id} row={row} several={severalIn(data)} />
          ))}
        </div>
      ) : (
        <div className={styles.scroll}>
          <DealTable report={data} />
        </div>
      )}
    </div>
  );
}

function Progress({ report: { deals, closed, left, seconds, at, checkedAt } }: { report: Report }) {
  if (left === 0) {
    return <Alert type="success" showIcon title={`${deals} 张全部结束，用时 ${secondsText(seconds ?? 0)}`} />;
  }
  const text = `已结束 ${closed} / ${deals} 张，剩 ${left} 张，已用 ${secondsText(Math.max(0, checkedAt - at) / 1000)}`;
  return <Alert type="warning" showIcon title={text} role="status" />;
}

/** What of it is real money, where not all is. */
function realSum({ list }: Report) {
  const real = list.filter(({ mode }) => mode === 'live');
  if (real.length === 0 || real.length === list.length) return [];
  const net = real.reduce<number | null>((sum, { net }) => (sum === null || net === null ? null : sum + net), 0);
  return [
    [
      `其中${modeLabel('live')}`,
      <span key="real">
        {real.length} 张，净盈亏 <Pnl value={net} reason="还没有结束的" />
      </span>,
    ],
  ] as const;
}

function Sums({ report }: { report: Report }) {
  const { at, by, reason, notional, slippage, fees, net, expected } = report;
  const cost = slippage === null || fees === null ? null : slippage + fees;
  const sums = [
    ['请求', <DateTime key="at" value={at} precision="second" />],
    ['由', reason === '' ? by : `${by}：${reason}`],
    ['范围', scopeText(report)],
    ['平掉的名义', <Amount key="notional" compact money value={notional} />],
    [
      '滑点（对请求时中间价）',
      <span key="slippage">
        <Amount value={slippage} unit="USDT" reason={NO_MID} />{' '}
        <span className="soft">
          <Amount value={bpsOf(slippage, notional)} digits={1} unit="bps" reason={NO_MID} />
        </span>
      </span>,
    ],
    ['手续费', <Amount key="fees" value={fees} unit="USDT" />],
    [
      '成本 / 预计',
      <span key="cost">
        <Amount money value={cost} reason={NO_MID} /> / <Amount money value={expected.cost} reason="请求时没有报价" />
      </span>,
    ],
    [
      '净盈亏 / 预计',
      <span key="net">
        <Pnl value={net} reason="还没有结束的" /> / <Pnl value={expected.net} reason="请求时没有报价" />
      </span>,
    ],
  ] as const;
  return (
    <dl className={styles.sums}>
      {[...sums, ...realSum(report)].map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const outcomeText = ({ state, closeReason }: ReportDeal): string =>
  closeReason === null ? HEDGE_STATE_LABEL[state] : `${HEDGE_STATE_LABEL[state]}：${CLOSE_REASON_LABEL[closeReason]}`;

const nameText = ({ kind, strategy, user, symbols }: ReportDeal, several: boolean): string =>
  [several ? user : '', STRATEGY_KIND_LABEL[kind], strategy, symbolsText(symbols)]
    .filter((word) => word !== '')
    .join(' · ');

const Outcome = ({ row }: { row: ReportDeal }) => (
  <>
    <div>{row.why === null ? outcomeText(row) : <Tag color="error">{HEDGE_STATE_LABEL[row.state]}</Tag>}</div>
    {row.why !== null && <div className={styles.left}>{row.why}</div>}
  </>
);

const Traded = ({ leg }: { leg: ReportLeg }) => (
  <>
    {ORDER_SIDE_LABEL[leg.side]} <Quantity value={leg.quantity} />
    {Number(leg.left) !== 0 && (
      <div className={styles.left}>
        剩 <Quantity value={Number(leg.left)} />
      </div>
    )}
    {leg.dust > 0 && (
      <div className="soft">
        余 <Quantity value={leg.dust} /> 留在账户
      </div>
    )}
  </>
);

const Slipped = ({ leg: { slippage, quantity, price } }: { leg: ReportLeg }) => (
  <>
    <Amount value={slippage} reason={quantity === 0 ? NOT_YET : NO_MID} />
    {price !== null && slippage !== null && (
      <div className="soft">
        <Amount value={bpsOf(slippage, quantity * price)} digits={1} unit="bps" />
      </div>
    )}
  </>
);

/** Whose cells are read, not compared. */
const WORDS = new Set(['合约', '结果']);
const HEADS = ['交易单', '合约', '平掉', '均价', '请求时中间价', '滑点', '手续费', '用时', '净盈亏', '结果'];

const severalIn = ({ list }: Report): boolean => new Set(list.map(({ user }) => user)).size > 1;

function DealTable({ report }: { report: Report }) {
  const { list } = report;
  const several = severalIn(report);
  return (
    <table className={styles.deals} aria-label="平掉的交易单">
      <thead>
        <tr>
          {HEADS.map((title) => (
            <th key={title} scope="col" className={WORDS.has(title) ? styles.words : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {list.map((row) => (
          <DealRows key={row.id} row={row} several={several} />
        ))}
      </tbody>
    </table>
  );
}

function DealRows({ row, several }: { row: ReportDeal; several: boolean }) {
  const lines: (ReportLeg | null)[] = row.legs.length === 0 ? [null] : row.legs;
  return lines.map((leg, i) => (
    <tr key={leg?.leg ?? 'none'}>
      {i === 0 && (
        <th scope="rowgroup" rowSpan={lines.length}>
          {nameText(row, several)} <LiveTag mode={row.mode} />
        </th>
      )}
      {leg === null ? (
        <td colSpan={6} className={styles.words}>
          没有成交过，撤单即结束
        </td>
      ) : (
        <>
          <td className={styles.words}>
            {leg.symbol} <span className="soft">{venueLabel(leg.source)}</span>
          </td>
          <td>
            <Traded leg={leg} />
          </td>
          <td>
            <Price value={leg.price} reason={NOT_YET} />
          </td>
          <td>
            <Price value={leg.mid} reason={NO_MID} />
          </td>
          <td>
            <Slipped leg={leg} />
          </td>
          <td>
            <Amount value={leg.fee} />
          </td>
        </>
      )}
      {i === 0 && (
        <>
          <td rowSpan={lines.length}>{row.seconds === null ? '-' : secondsText(row.seconds)}</td>
          <td rowSpan={lines.length}>
            <Pnl value={row.net} reason="还没有结束" />
          </td>
          <td rowSpan={lines.length} className={styles.words}>
            <Outcome row={row} />
          </td>
        </>
      )}
    </tr>
  ));
}

function DealCard({ row, several }: { row: ReportDeal; several: boolean }) {
  const name = nameText(row, several);
  return (
    <RowCard
      label={name}
      head={
        <strong>
          {name} <LiveTag mode={row.mode} />
        </strong>
      }
    >
      <Outcome row={row} />
      {row.legs.map((leg) => (
        <CardFigures
          key={leg.leg}
          columns={3}
          figures={[
            [`${leg.symbol} ${venueLabel(leg.source)}`, <Traded key="traded" leg={leg} />, true],
            ['均价', <Price key="price" value={leg.price} reason={NOT_YET} />],
            ['请求时中间价', <Price key="mid" value={leg.mid} reason={NO_MID} />],
            ['滑点', <Slipped key="slippage" leg={leg} />],
            ['手续费', <Amount key="fee" value={leg.fee} />],
          ]}
        />
      ))}
      <CardFigures
        columns={3}
        figures={[
          ['用时', row.seconds === null ? '-' : secondsText(row.seconds)],
          ['净盈亏', <Pnl key="net" value={row.net} reason="还没有结束" />],
        ]}
      />
    </RowCard>
  );
}
