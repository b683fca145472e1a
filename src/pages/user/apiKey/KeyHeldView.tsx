import { type ApiKeyRow, apiKey, KeyBalance, KeyPosition, totalsIn } from '#contract/apiKey';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';

const BALANCES = schemaColumns(KeyBalance, { widths: { wallet: 104, asset: 80, total: 128, free: 128 } });
const POSITIONS = schemaColumns(KeyPosition, {
  widths: {
    ...{ symbol: 120, side: 56, quantity: 104, ours: 104, external: 104 },
    ...{ entryPrice: 104, markPrice: 104, liquidationPrice: 104, unrealised: 112 },
  },
});

/** An account is not asked about more often: what an address may ask is shared with the market that is followed. */
const RENEWED = { refreshInterval: 30_000 };

/** What the account of a key holds at its exchange, to be looked at alone. */
export function KeyHeldView({ row: { id, name } }: { row: ApiKeyRow }) {
  const { data, error, mutate } = useCall(apiKey.held, { query: { id } }, RENEWED);
  return (
    <section className={`stack ${styles.held}`} aria-label={`${name} 的账户`}>
      <h3>交易所里的账户</h3>
      {error && data === undefined && <ErrorState error={error} onRetry={() => void mutate()} />}
      {data && (
        <>
          <p className="soft">
            只读{data.simulated && '，由模拟交易所回答'}，<DateTime value={data.at} precision="second" /> 的余额与持仓。
            没有交易单解释的持仓是外部的，不计入任何策略，本系统不动它。
            {data.multiAsset && '多资产保证金模式：合计以 USD 计。'}
          </p>
          <CardFigures
            columns={2}
            figures={[
              ['合约权益', <Amount key="equity" value={Number(data.equity)} unit={totalsIn(data)} />],
              ['可用', <Amount key="available" value={Number(data.available)} unit={totalsIn(data)} />],
              ['占用保证金', <Amount key="initial" value={Number(data.initialMargin)} unit={totalsIn(data)} />],
              ['维持保证金', <Amount key="maintenance" value={Number(data.maintenanceMargin)} unit={totalsIn(data)} />],
            ]}
          />
          <PlainTable
            label="余额"
            rowKey={({ wallet, asset }) => `${wallet} ${asset}`}
            columns={BALANCES}
            rows={data.balances}
            empty={<EmptyState title="没有余额" />}
          />
          <PlainTable
            label="持仓对照"
            rowKey={({ symbol, side }) => `${symbol} ${side}`}
            columns={POSITIONS}
            rows={data.positions}
            empty={<EmptyState title="没有合约持仓" />}
          />
        </>
      )}
    </section>
  );
}
