import { Link } from '@umijs/max';
import { Button } from 'antd';
import { EmptyState } from '@/components/EmptyState';
import styles from './index.module.css';

interface IdeaProps {
  configured: boolean;
  onSettings: () => void;
  onAdd: () => void;
}

/** What the screen is for, while nothing has been set up, and where to begin. */
export function Idea({ configured, onSettings, onAdd }: IdeaProps) {
  const lines = (
    <ol className={styles.idea}>
      <li>选一强一弱两个币种，同时做多强者、做空弱者，两边名义相当。</li>
      <li>大盘涨跌两边抵消，赚的是两者的相对强弱，外加两边资金费之差。</li>
      <li>引擎同时建两边、按止损止盈与最长持有平仓，出现裸腿会补齐或退回。</li>
      <li>默认是模拟盘：委托、成交、手续费与资金费如实记账，不动真钱。</li>
    </ol>
  );
  return (
    <EmptyState title="把一对币种当作一笔交易来做" description={lines}>
      <div className={styles.ideaActions}>
        <Link to="/indicator/hedge">
          <Button type="primary">去中性选币挑一对</Button>
        </Link>
        {configured ? (
          <Button onClick={onAdd}>直接添加交易对</Button>
        ) : (
          <Button onClick={onSettings}>先设置参数</Button>
        )}
      </div>
    </EmptyState>
  );
}
