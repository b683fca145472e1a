import { Tag, Tooltip } from 'antd';
import type { PairWarning } from '#contract/pair';

const UNRELIABLE: Record<Exclude<PairWarning, 'againstZ'>, string> = {
  hedgeRatio: 'b ≤ 0',
  adf: 'ADF p > 0.1',
  fit: 'R² < 0.2',
};

/** In the colour of the text: the tag's own is too pale on its ground. */
const WRAPPED = { whiteSpace: 'normal', marginInlineEnd: 4, color: 'var(--ink)' } as const;

/** What speaks against a pair, each with its reason; nothing where nothing does. */
export function PairWarnings({ warnings }: { warnings: readonly PairWarning[] }) {
  const reasons = warnings.flatMap((warning) => (warning === 'againstZ' ? [] : [UNRELIABLE[warning]]));
  return (
    <>
      {reasons.length > 0 && (
        <Tooltip title="价差没有可靠的均值可回归：z、半衰期与对冲比只是这一窗口的样子">
          <Tag color="warning" style={WRAPPED}>
            关系不可靠：{reasons.join('、')}
          </Tag>
        </Tooltip>
      )}
      {warnings.includes('againstZ') && (
        <Tooltip title="做多价差而 z > 0：多头一边偏贵，向均值回归会带来亏损">
          <Tag color="error" style={WRAPPED}>
            方向与 z 相反：z &gt; 0 仍做多价差
          </Tag>
        </Tooltip>
      )}
    </>
  );
}
