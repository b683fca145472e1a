import { history } from '@umijs/max';
import { Card } from 'antd';
import { EmptyState } from '@/components/EmptyState';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import styles from './index.module.css';
import { addressOf } from './symbolAddress';

interface UnknownSymbolProps {
  symbol: string;
  source: string;
  /** What the server said. */
  message: string;
  onSource: (source: string) => void;
}

/** The source has no such coin: another source, or a search that leads to one it has. */
export function UnknownSymbol({ symbol, source, message, onSource }: UnknownSymbolProps) {
  const open = (found: string) => history.push(addressOf(found, `?${new URLSearchParams({ source })}`));
  return (
    <Card>
      <EmptyState title={`没有找到 ${symbol || '币种'}`} description={message}>
        <div className={styles.search}>
          <SourceSelect value={source} onChange={onSource} />
          <SymbolSelect aria-label="搜索币种" source={source} onChange={open} />
        </div>
      </EmptyState>
    </Card>
  );
}
