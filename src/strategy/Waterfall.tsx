import type { Waterfall as Parts, WaterfallStep } from '#contract/dealOutlook';
import type { StrategyRow } from '#contract/strategyRow';
import { Pnl } from '@/components/Pnl';
import styles from './strategy.module.css';
import own from './waterfall.module.css';

const LABEL: Record<WaterfallStep, [word: string, text: string]> = {
  funding: ['已收资金费', '两腿合计'],
  fees: ['手续费', '已付'],
  slippage: ['滑点', '已付，相对决策时中间价'],
  gap: ['价格变动', '价格盈亏，按标记价；滑点另列时不含它'],
  exit: ['平仓估计', '现在按盘口吃单：手续费与滑点'],
  expected: ['到期满的资金费', '按现在的费率与各所余下的结算次数'],
};
/** After which steps there is a result. */
const RESULT: Partial<Record<WaterfallStep, string>> = { gap: '现在净值', exit: '现在平掉', expected: '期满净值' };
const UNKNOWN = '没有价格、盘口或费率';

/** What a strategy made since it was created, slippage inside the price. */
export function StrategyWaterfall({ strategy: { name, funding, fees, net } }: { strategy: StrategyRow }) {
  const [received, paid] = [funding ?? 0, fees ?? 0];
  const steps = [
    { step: 'funding', amount: received, sum: received },
    { step: 'fees', amount: -paid, sum: received - paid },
    { step: 'gap', amount: net === null ? null : net - received + paid, sum: net },
  ] as const;
  return (
    <section className={`card ${styles.panel}`} aria-label="盈亏构成">
      <header className={styles.head}>
        <h2>盈亏构成 · {name}</h2>
        <span className="soft">USDT，自创建以来；滑点在价格变动里</span>
      </header>
      <div className={own.whole}>
        <Waterfall waterfall={{ steps: [...steps] }} />
      </div>
    </section>
  );
}

/** From funding to what a deal nets now, and, while it runs, if closed now and at its horizon; or to what it made. */
export function Waterfall({ waterfall: { steps } }: { waterfall: Parts }) {
  const runs = steps.some(({ step }) => step === 'exit');
  const sums = steps.flatMap(({ sum }) => (sum === null ? [] : [sum]));
  const [low, high] = [Math.min(0, ...sums), Math.max(0, ...sums)];
  const span = high - low || 1;
  const place = (from: number, to: number) => ({
    left: `${((Math.min(from, to) - low) / span) * 100}%`,
    width: `${(Math.abs(to - from) / span) * 100}%`,
  });
  return (
    <table className={own.waterfall} aria-label="盈亏瀑布，USDT">
      <tbody>
        {steps.flatMap(({ step, amount, sum }, i) => {
          const [word, text] = LABEL[step];
          const before = steps[i - 1]?.sum ?? 0;
          const result = step === 'gap' && !runs ? '净盈亏' : RESULT[step];
          return [
            <tr key={step}>
              <th scope="row" title={text}>
                {word}
              </th>
              <td className={own.track} aria-hidden="true">
                {sum !== null && (
                  <span className={(amount ?? 0) < 0 ? own.loss : own.gain} style={place(before, sum)} />
                )}
              </td>
              <td>
                <Pnl value={amount} reason={UNKNOWN} />
              </td>
            </tr>,
            result && (
              <tr key={`${step} result`} className={own.result}>
                <th scope="row">{result}</th>
                <td className={own.track} aria-hidden="true">
                  {sum !== null && <span className={sum < 0 ? own.loss : own.gain} style={place(0, sum)} />}
                </td>
                <td>
                  <Pnl value={sum} reason={UNKNOWN} />
                </td>
              </tr>
            ),
          ];
        })}
      </tbody>
    </table>
  );
}
