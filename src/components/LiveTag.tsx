import type { StrategyRow } from '#contract/strategyRow';
import { isOnTestnet, modeLabel } from '@/services/modeLabel';
import styles from './LiveTag.module.css';

interface LiveTagProps {
  mode: StrategyRow['mode'] | undefined;
}

/** That orders of it are real and so is the money, but for that of a test network; nothing of play money. Told by the word, not by colour alone. */
export const LiveTag = ({ mode }: LiveTagProps) =>
  mode === 'live' ? (
    <span
      className={`${styles.tag} ${isOnTestnet() ? styles.test : ''}`}
      title={isOnTestnet() ? '委托发往交易所的测试网，没有真钱' : '真实委托，真实资金'}
    >
      {modeLabel(mode)}
    </span>
  ) : null;
