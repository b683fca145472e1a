import { Button, Card } from 'antd';
import { RATIO_RULE_LABEL } from '#contract/kinds/hedge/config';
import { spaced } from '#contract/spaced';
import { sourceLabel } from '@/components/labels';
import styles from '../index.module.css';
import type { PairWish } from './AddPairDialog';

const sideOf = (text: string): string => (text === '' ? '（待选）' : text.split(',').join(' + '));

/** The pair of a wish, in words. */
export const wishWords = ({ long, short }: PairWish): string => `做多 ${sideOf(long)} / 做空 ${sideOf(short)}`;

/** What a wish brought along beside its pair, in words; empty for nothing. */
function carriedWords({ carried }: PairWish): string {
  const { leverage, ratio } = carried;
  const words = [
    leverage === undefined ? '' : `杠杆 ${leverage} 倍`,
    ratio === undefined ? '' : `配比${RATIO_RULE_LABEL[ratio]}`,
  ];
  return words.filter(Boolean).join('、');
}

interface WaitingPairProps {
  wish: PairWish;
  onSettings: () => void;
  onDrop: () => void;
}

/** The pair that somebody came with before the first settings: what happens with it, and the next step. */
export function WaitingPair({ wish, onSettings, onDrop }: WaitingPairProps) {
  const carried = carriedWords(wish);
  return (
    <Card size="small" title={`你带来的一对：${wishWords(wish)}`} aria-label="带来的一对">
      <div className={`stack ${styles.stack}`}>
        <p>
          还没有下任何委托{wish.source !== null && spaced(`；行情来自${sourceLabel(wish.source)}`)}
          。这一对会一直留在这里，刷新也在，按下面的顺序开仓：
        </p>
        <ol className={styles.idea}>
          <li>
            保存一次对冲配置：默认值可以直接用
            {carried !== '' && (
              <>
                ，<strong>{carried}已从回测带入</strong>
              </>
            )}
            ，之后所有的对共用。
          </li>
          <li>看这一对的报价：两边名义、保证金、手续费、滑点、止损与止盈。</li>
          <li>添加这一对，再打开「启用」：引擎在模拟账户里同时建两边。</li>
        </ol>
        <div className={styles.rowActions}>
          <Button type="primary" onClick={onSettings}>
            第一步：设置参数
          </Button>
          <Button onClick={onDrop}>放弃这一对</Button>
        </div>
      </div>
    </Card>
  );
}
