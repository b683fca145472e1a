import { Button } from 'antd';

interface ErrorStateProps {
  /** What went wrong; its message is shown. */
  error?: { message: string };
  title?: string;
  onRetry?: () => void;
  retrying?: boolean;
}

/** Something could not be loaded: what happened, and a way to try again. */
export function ErrorState({ error, title = '加载失败', onRetry, retrying }: ErrorStateProps) {
  return (
    <div className="error-state" role="alert">
      <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
        <circle cx="24" cy="24" r="21" />
        <path d="M24 13v14M24 33.5v1.5" />
      </svg>
      <h2>{title}</h2>
      {error && <p>{error.message}</p>}
      {onRetry && (
        <Button type="primary" onClick={onRetry} loading={retrying}>
          重试
        </Button>
      )}
    </div>
  );
}
