import { EmptyState } from './EmptyState';

interface ComingScreenProps {
  title: string;
  /** What the screen will hold, in a sentence. */
  promise: string;
}

/** A screen that is not built yet says so, and what it will be. */
export function ComingScreen({ title, promise }: ComingScreenProps) {
  return <EmptyState title={`${title} · 建设中`} description={promise} />;
}
