import { Component, type ReactNode } from 'react';
import { contact } from '@/services/contact';
import { explainFailure, isChunkFailure, reloadOnceIfGone } from './chunkFailure';
import { ErrorState } from './ErrorState';

interface ScreenBoundaryProps {
  children?: ReactNode;
  /** What failed at one address says nothing of the next. */
  address?: string;
  /** Asks for the page anew. */
  reload?: () => void;
}

const reloadPage = (): void => window.location.reload();

interface State {
  error: Error | undefined;
}

/** Catches what a screen throws: a part of the console that did not load, or a defect in it. */
export class ScreenBoundary extends Component<ScreenBoundaryProps, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  #stopWaiting = (): void => {};

  override componentDidCatch(error: Error): void {
    if (!isChunkFailure(error)) return;
    void reloadOnceIfGone(error);
    // What did not come as the server was out of reach may come once it answers again.
    if (contact.isFailing()) this.#stopWaiting = contact.onAnswer(this.props.reload ?? reloadPage);
  }

  override componentDidUpdate({ address }: ScreenBoundaryProps): void {
    if (address === this.props.address) return;
    this.#stopWaiting();
    if (this.state.error) this.setState({ error: undefined });
  }

  override componentWillUnmount(): void {
    this.#stopWaiting();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const { title, message } = explainFailure(error);
    // A failed chunk stays failed for React: only a fresh page asks for it again.
    return <ErrorState title={title} error={{ message }} onRetry={this.props.reload ?? reloadPage} />;
  }
}
