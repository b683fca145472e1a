import { Tag, Tooltip } from 'antd';
import { PAIR_WARNING_LABEL, type PairWarning } from '#contract/pair';

const AGAINST = '做多价差而 z > 0：多头一边偏贵，向均值回归会带来亏损';

/** In the colour of the text: the tag's own is too pale on its ground. */
const TAG = { marginInlineEnd: 4, color: 'var(--ink)' } as const;
const WRAPPED = { ...TAG, whiteSpace: 'normal' } as const;

interface PairWarningsProps {
  warnings: readonly PairWarning[];
  /** In a row of a table: one line each, with what it is about on demand. */
  brief?: boolean;
  /** Nothing is held and nothing is opened now: a z of the wrong sign is what it waits out, and no warning. */
  waits?: boolean;
}

/** What speaks against a pair, each with its reason; nothing where nothing does. */
export function PairWarnings({ warnings, brief = false, waits = false }: PairWarningsProps) {
  const reasons = warnings
    .flatMap((warning) => (warning === 'againstZ' ? [] : [PAIR_WARNING_LABEL[warning]]))
    .join('、');
  const found = [
    reasons !== '' && {
      color: 'warning',
      name: '关系不可靠',
      more: reasons,
      meaning: '价差没有可靠的均值可回归：z、半衰期与对冲比只是这一窗口的样子',
    },
    !waits &&
      warnings.includes('againstZ') && {
        color: 'error',
        name: PAIR_WARNING_LABEL.againstZ,
        more: 'z > 0 仍做多价差',
        meaning: AGAINST,
      },
  ].filter((one) => one !== false);
  return (
    <>
      {found.map(({ color, name, more, meaning }) => (
        <Tooltip key={name} title={brief ? `${more}。${meaning}` : meaning}>
          <Tag color={color} style={brief ? TAG : WRAPPED} tabIndex={brief ? 0 : undefined}>
            {brief ? name : `${name}：${more}`}
          </Tag>
        </Tooltip>
      ))}
      {waits && warnings.includes('againstZ') && (
        <Tooltip title={AGAINST}>
          <span className="soft">z 为正，不利开仓</span>
        </Tooltip>
      )}
    </>
  );
}
