import type { StrategyRow } from '#contract/strategyRow';
import styles from './LiveTag.module.css';

interface LiveTagProps {
  mode: StrategyRow['mode'] | undefined;
}

/** That orders of it are real and so is the money; nothing of play money. Told by the word, not by colour alone. */
export const LiveTag = ({ mode }: LiveTagProps) =>
  mode === 'live' ? (
    <span className={styles.tag} title="真实委托，真实资金">
      实盘
    </span>
  ) : null;
