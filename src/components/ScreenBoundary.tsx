import { Component, type ReactNode } from 'react';
import { explainFailure, isChunkFailure, reloadOnceIfGone } from './chunkFailure';
import { ErrorState } from './ErrorState';

interface ScreenBoundaryProps {
  children?: ReactNode;
  /** What failed at one address says nothing of the next. */
  address?: string;
}

interface State {
  error: Error | undefined;
}

/** Catches what a screen throws: a part of the console that did not load, or a defect in it. */
export class ScreenBoundary extends Component<ScreenBoundaryProps, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    if (isChunkFailure(error)) void reloadOnceIfGone(error);
  }

  override componentDidUpdate({ address }: ScreenBoundaryProps): void {
    if (address !== this.props.address && this.state.error) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const { title, message } = explainFailure(error);
    // A failed chunk stays failed for React: only a fresh page asks for it again.
    return <ErrorState title={title} error={{ message }} onRetry={() => window.location.reload()} />;
  }
}
