import { Alert, Card } from 'antd';
import type { Statistic } from '#contract/statistic';
import { formatDateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { usePreparing } from '@/components/usePreparing';
import { DAY_GROUPS, HEDGE_GROUP } from './tiles';

/** The figures as groups of tiles; each says formula, window and the time of its inputs. */
export function FigureCards({ data, pair }: { data: Statistic; pair: string }) {
  const { figures, hedges, from, to, at } = data;
  const window =
    from === null || to === null
      ? '没有完整的一天'
      : `${formatDateTime(from, 'minute', true)} 至 ${formatDateTime(to, 'minute', true)} UTC，${figures?.days.toFixed(1)} 天`;
  const inputAt = formatDateTime(at, 'second');
  const missing = usePreparing();
  return (
    <>
      {pair !== '' && (
        <Alert
          type="info"
          showIcon
          title="净值按账户记录，不能拆到单个交易对：净值、风险、成本、周期与下方曲线仍是所选账户的全部；对冲单、归因与回测对比只含所选交易对。"
        />
      )}
      {figures === null ? (
        <Alert
          type="info"
          showIcon
          title="期间内还没有完整的一天（UTC）：净值与日收益从开户后的第一个 UTC 零点开始统计。"
        />
      ) : (
        DAY_GROUPS.map(({ title, tiles }) => (
          <Card key={title} size="small" title={title}>
            <FigureTiles
              label={title}
              inputAt={inputAt}
              missing={missing}
              tiles={tiles.map(({ label, formula, figure, detail }) => {
                return { label, formula, window, figure: figure(figures), detail: detail?.(figures) };
              })}
            />
          </Card>
        ))
      )}
      <Card size="small" title={HEDGE_GROUP.title}>
        <FigureTiles
          label={HEDGE_GROUP.title}
          inputAt={inputAt}
          missing={missing}
          tiles={HEDGE_GROUP.tiles.map(({ label, formula, figure, detail }) => {
            const inside = '结束时刻在所选期间内（UTC 日，含今天）';
            return { label, formula, window: inside, figure: figure(hedges), detail: detail?.(hedges) };
          })}
        />
      </Card>
    </>
  );
}
