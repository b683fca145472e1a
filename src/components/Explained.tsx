import { QuestionCircleOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import type { ReactNode } from 'react';

interface ExplainedProps {
  /** The label itself. */
  children: ReactNode;
  /** How the figure comes about. */
  formula?: ReactNode;
  /** The stretch of time it covers. */
  window?: ReactNode;
  /** When its inputs were read. */
  inputAt?: ReactNode;
  /** Anything else in a sentence. */
  text?: ReactNode;
}

/** A label that tells on demand what its figure is: formula, window and the time of its inputs. */
export function Explained({ children, formula, window, inputAt, text }: ExplainedProps) {
  const lines = [
    { key: 'text', label: null, line: text },
    { key: 'formula', label: '公式：', line: formula },
    { key: 'window', label: '窗口：', line: window },
    { key: 'inputAt', label: '数据时间：', line: inputAt },
  ].filter(({ line }) => line !== undefined);
  const title = lines.map(({ key, label, line }) => (
    <div key={key}>
      {label}
      {line}
    </div>
  ));
  return (
    <span className="explained">
      {children}{' '}
      <Tooltip title={title} trigger={['hover', 'focus', 'click']}>
        <QuestionCircleOutlined className="explained-mark" tabIndex={0} aria-label="说明" />
      </Tooltip>
    </span>
  );
}
