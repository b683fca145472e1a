import { Button, Tag, Tooltip } from 'antd';
import { isOtherSpread, RATIO_RULE_LABEL } from '#contract/kinds/hedge/config';
import { formatNumber } from '@/components/formatNumber';
import styles from './pairs.module.css';

const shown = (figure: number) => formatNumber(figure, { digits: 2 });

interface OtherSpreadProps {
  /** Short notional per long notional. */
  ratio: number | null;
  /** b of F13. */
  hedgeRatio: number | null;
  /** Goes to where the ratio that matches is chosen; absent where it is chosen already. */
  onMatch?: (() => void) | undefined;
}

/** That z speaks of another spread than the one that is held, and the ratio that matches; nothing where they agree. */
export function OtherSpread({ ratio, hedgeRatio, onMatch }: OtherSpreadProps) {
  if (ratio === null || hedgeRatio === null || !isOtherSpread(ratio, hedgeRatio)) return null;
  return (
    <div>
      <Tooltip
        title={`z 说的是多头 1 对空头 ${shown(hedgeRatio)}（b）的价差，所持为 1 对 ${shown(ratio)}，相差超过五分之一：z 回归时所持不一定盈利`}
      >
        <Tag color="warning" className={styles.otherSpread}>
          z 非所持价差
        </Tag>
      </Tooltip>
      {onMatch && (
        <Button type="link" size="small" className={styles.linkButton} onClick={onMatch}>
          以后改用{RATIO_RULE_LABEL.spread}配比
        </Button>
      )}
    </div>
  );
}
