import { theme } from 'antd';
import type { LegendItem } from './ChartLegend';

/** What the viewer did at the crosshair, over the chart: in the legend it would move the chart under the pointer. */
export function OwnNote({ items }: { items: readonly LegendItem[] }) {
  const { token } = theme.useToken();
  if (items.length === 0) return null;
  return (
    <div
      style={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: token.marginSM,
        padding: '0 4px',
        background: token.colorBgElevated,
        color: token.colorTextSecondary,
        fontSize: token.fontSizeSM,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {items.map(({ name, text }) => (
        <span key={name}>
          {name} <span style={{ color: token.colorText }}>{text}</span>
        </span>
      ))}
    </div>
  );
}
