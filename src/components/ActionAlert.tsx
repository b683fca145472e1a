import { Alert, type AlertProps } from 'antd';
import { useNarrow } from './useNarrow';

/** What is to be known, with what may be done about it; below its words on a phone. */
export function ActionAlert({ action, title, ...alert }: AlertProps) {
  const narrow = useNarrow();
  if (!narrow || !action) return <Alert showIcon {...alert} title={title} action={action} />;
  const both = (
    <>
      {title}
      <div className="alert-action">{action}</div>
    </>
  );
  return <Alert showIcon {...alert} title={both} />;
}
