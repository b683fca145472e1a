import { Button } from 'antd';
import { type AccountPosition, account } from '#contract/account';
import { MoneyButton } from '@/components/MoneyButton';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import styles from './index.module.css';
import { isOutside } from './positionColumns';

interface OutsideActionsProps {
  row: AccountPosition;
  takeOver: (row: AccountPosition) => void;
  /** Reads the account again. */
  refresh: () => void;
}

/** What its owner may do about a position that no deal explains. */
export function OutsideActions({ row, takeOver, refresh }: OutsideActionsProps) {
  const isIgnored = row.badges.includes('ignored');
  if (!isOutside(row)) return null;
  const { accountId, source, symbol } = row;
  const ignore = async () => {
    await call(account.ignore, { body: { accountId, source, symbol, ignored: !isIgnored } });
    toast.success(isIgnored ? `${symbol} 不再忽略` : `已忽略 ${symbol}：数量变了会再提醒`);
    refresh();
  };
  const verb = isIgnored ? '取消忽略' : '忽略';
  return (
    <span className={styles.outside}>
      {!isIgnored && (
        <MoneyButton size="small" aria-label={`接管 ${symbol}`} onClick={() => takeOver(row)}>
          接管
        </MoneyButton>
      )}
      {/* What was refused has been told. */}
      <Button size="small" aria-label={`${verb} ${symbol}`} onClick={() => void ignore().catch(() => undefined)}>
        {verb}
      </Button>
    </span>
  );
}
