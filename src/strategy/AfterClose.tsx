import { Radio } from 'antd';
import styles from './strategy.module.css';

/**
 * What follows: it is opened again by itself where it stays armed, at once or when its strategy opens again; by a person
 * alone; or never, for it was to be opened once.
 */
export type Afterwards = 'reopens' | 'reopensLater' | 'byHand' | 'ends';

const GOES_ON = {
  reopens: '一旦再符合开仓条件就自动再开，可能就在几秒之后',
  reopensLater: '现在不开新仓；恢复开仓后，一旦符合条件就自动再开',
};

interface AfterCloseProps {
  /** What is disarmed: 交易对 or 标的. */
  what: string;
  afterwards: Afterwards;
  onChoose: (keepArmed: boolean) => void;
}

/** What becomes of the pair or target whose deal a person closes: it stays closed, unless that is chosen otherwise. */
export function AfterClose({ what, afterwards, onChoose }: AfterCloseProps) {
  if (afterwards === 'ends') return <p className={styles.afterClose}>只开这一张：平掉后不再开，策略自动停止。</p>;
  if (afterwards === 'byHand') {
    return <p className={styles.afterClose}>平掉后该{what}记为已手动平仓，要再开请点「重新启用」。</p>;
  }
  return (
    <Radio.Group
      vertical
      className={styles.afterClose}
      aria-label="平掉之后"
      defaultValue={false}
      onChange={({ target }) => onChoose(target.value === true)}
      options={[
        { value: false, label: `平掉并停用该${what}：不再开仓，直到点「重新启用」` },
        { value: true, label: `平掉后继续：${GOES_ON[afterwards]}` },
      ]}
    />
  );
}
