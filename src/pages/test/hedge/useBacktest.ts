import { useCallback, useEffect, useRef, useState } from 'react';
import { type BacktestQuery, type BacktestResult, backtest } from '#contract/backtest';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';

export interface BacktestRun {
  /** The newest run that succeeded; it stays while another one runs and when that fails. */
  result: BacktestResult | undefined;
  error: CallError | undefined;
  running: boolean;
  run: (query: Partial<BacktestQuery>) => void;
  /** Ends the running one, here and on the server. */
  cancel: () => void;
}

/** Runs backtests one at a time: a new one takes the place of the one before. */
export function useBacktest(): BacktestRun {
  const [state, setState] = useState<Pick<BacktestRun, 'result' | 'error' | 'running'>>({
    result: undefined,
    error: undefined,
    running: false,
  });
  const current = useRef<AbortController>(undefined);

  const cancel = useCallback(() => {
    current.current?.abort();
    current.current = undefined;
    setState((now) => ({ ...now, running: false }));
  }, []);

  const run = useCallback(async (query: Partial<BacktestQuery>) => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const settle = (change: Partial<BacktestRun>) => {
      if (current.current === controller) setState((now) => ({ ...now, ...change, running: false }));
    };
    setState((now) => ({ ...now, error: undefined, running: true }));
    try {
      settle({ result: await call(backtest.hedge, { query }, { signal: controller.signal }) });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      settle({ error });
    }
  }, []);

  useEffect(() => () => current.current?.abort(), []);
  return { ...state, run, cancel };
}
