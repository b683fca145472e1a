import { theme } from 'antd';
import styles from './chart.module.css';

export interface LegendItem {
  name: string;
  text: string;
  /** Colour of the curve's mark; none for plain figures. */
  color?: string;
  dashed?: boolean;
}

interface ChartLegendProps {
  /** Date and time of the figures. */
  at: string;
  /** They are of a bar that has not closed. */
  forming: boolean;
  /** What such a bar is called. */
  word?: string | undefined;
  items: readonly LegendItem[];
}

/** Names and values at the crosshair, or at the newest point. */
export function ChartLegend({ at, forming, word = '未收盘', items }: ChartLegendProps) {
  const { token } = theme.useToken();
  return (
    <div
      style={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'baseline',
        columnGap: token.marginSM,
        rowGap: 2,
        minHeight: token.controlHeightSM,
        paddingBlockEnd: token.paddingXXS,
        color: token.colorTextSecondary,
        fontSize: token.fontSizeSM,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <span>
        {at}
        {forming && ` ${word}`}
      </span>
      {items.map(({ name, text, color, dashed }) => (
        <span key={name} style={{ whiteSpace: 'nowrap' }}>
          {color && (
            <span
              aria-hidden
              style={{
                display: 'inline-block',
                width: 16,
                marginInlineEnd: 4,
                verticalAlign: 'middle',
                borderTop: `2px ${dashed ? 'dashed' : 'solid'} ${color}`,
              }}
            />
          )}
          {name} <span style={{ color: token.colorText, display: 'inline-block', minWidth: '5ch' }}>{text}</span>
        </span>
      ))}
      <span className={styles.hint}>Ctrl + 滚轮缩放</span>
    </div>
  );
}
