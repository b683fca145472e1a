import { Alert, type AlertProps } from 'antd';
import { useNarrow } from './useNarrow';

/** What is to be known, with what may be done about it; below its words on a phone. */
export function ActionAlert({ action, ...alert }: AlertProps) {
  const narrow = useNarrow();
  return <Alert showIcon {...alert} {...(action && { [narrow ? 'description' : 'action']: action })} />;
}
