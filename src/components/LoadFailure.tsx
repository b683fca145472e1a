import { ErrorState } from './ErrorState';

interface LoadFailureProps {
  error: Error;
  onRetry: () => void;
}

/** The console could not start: the server is down, too slow, or answers something else. */
export function LoadFailure({ error, onRetry }: LoadFailureProps) {
  return (
    <main className="whole-screen">
      <ErrorState title="无法加载控制台" error={error} onRetry={onRetry} />
    </main>
  );
}
