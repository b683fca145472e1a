import { Component, type ComponentType, lazy, type ReactNode } from 'react';
import { explainFailure, isChunkFailure, reloadOnceIfGone } from './chunkFailure';
import { ErrorState } from './ErrorState';
import { toast } from './toast';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

interface Closed {
  /** A dialog is closed with it. */
  onClose?: (() => void) | undefined;
  /** Of a dialog that stays when it is closed. */
  open?: boolean;
}

interface State {
  error: Error | undefined;
}

/**
 * A part of a screen that is loaded when it is first shown, within a Suspense. Where it does not come the screen stays: a dialog
 * closes with a word, and can be opened again; anything else says so in its place and offers to try again.
 */
export function late<P extends object>(load: Load<P>): ComponentType<P & Closed> {
  // React keeps what it was refused: whoever tries again needs a new one.
  let Content = lazy(load) as ComponentType<P>;
  return class Late extends Component<P & Closed, State> {
    override state: State = { error: undefined };

    static getDerivedStateFromError(error: Error): State {
      return { error };
    }

    override componentDidCatch(error: Error): void {
      if (!isChunkFailure(error)) return;
      Content = lazy(load) as ComponentType<P>;
      void reloadOnceIfGone(error);
      const { onClose } = this.props;
      if (onClose === undefined) return;
      toast.error(explainFailure(error).message);
      onClose();
    }

    override componentDidUpdate(before: Closed): void {
      if (this.state.error !== undefined && this.props.open === true && before.open !== true)
        this.setState({ error: undefined });
    }

    override render(): ReactNode {
      const { error } = this.state;
      if (error === undefined) return <Content {...this.props} />;
      // A defect is none of ours: the screen's own boundary tells of it.
      if (!isChunkFailure(error)) throw error;
      if (this.props.onClose !== undefined) return null;
      const { title, message } = explainFailure(error);
      return <ErrorState title={title} error={{ message }} onRetry={() => this.setState({ error: undefined })} />;
    }
  };
}
