import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { history, useLocation } from '@umijs/max';
import { Button, Space, Tooltip } from 'antd';
import { useCallback, useEffect } from 'react';
import { addressOf } from './symbolAddress';

function useWayTo(symbol: string | null, search: string): (() => void) | null {
  const go = useCallback(() => {
    const query = new URLSearchParams(search);
    // A coin is not compared with itself.
    if (query.get('compare') === symbol) query.delete('compare');
    const rest = query.toString();
    if (symbol !== null) history.push(addressOf(symbol, rest && `?${rest}`));
  }, [symbol, search]);
  return symbol === null ? null : go;
}

const EDITABLE = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="combobox"]';

/** `[` and `]` go to the coin before and after, unless somebody is typing. */
function useNeighbourKeys(goPrevious: (() => void) | null, goNext: (() => void) | null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(EDITABLE)) return;
      if (event.key === '[') goPrevious?.();
      if (event.key === ']') goNext?.();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [goPrevious, goNext]);
}

interface NeighboursProps {
  previous: string | null;
  next: string | null;
}

/** To the coins before and after in the source, by button or key. */
export function Neighbours({ previous, next }: NeighboursProps) {
  const { search } = useLocation();
  const goPrevious = useWayTo(previous, search);
  const goNext = useWayTo(next, search);
  useNeighbourKeys(goPrevious, goNext);
  return (
    <Space.Compact>
      <Tooltip title={previous === null ? '已是第一个币种' : `${previous}（快捷键 [ ，输入时不生效）`}>
        <Button
          icon={<LeftOutlined />}
          aria-label="上一个币种"
          disabled={goPrevious === null}
          onClick={() => goPrevious?.()}
        />
      </Tooltip>
      <Tooltip title={next === null ? '已是最后一个币种' : `${next}（快捷键 ] ，输入时不生效）`}>
        <Button
          icon={<RightOutlined />}
          aria-label="下一个币种"
          disabled={goNext === null}
          onClick={() => goNext?.()}
        />
      </Tooltip>
    </Space.Compact>
  );
}
