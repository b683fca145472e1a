import { ProForm } from '@ant-design/pro-components';
import { Alert, Spin } from 'antd';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { type BacktestQuery, type BacktestResult, backtest } from '#contract/backtest';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { showFieldErrors } from '@/form/fieldErrors';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { BacktestForm } from './BacktestForm';
import { type BacktestValues, FIELD_OF, inputCodecs, toApi, toForm, toInputs } from './backtestValues';
import styles from './index.module.css';

// Tiles, tables and charts are wanted only once there is something to show in them.
const BacktestReport = late(() => import('./BacktestReport'));
const FirstRun = late(() => import('./FirstRun'));

/** 中性回测: the URL holds the inputs; opened with both sides it runs at once. */
export default function BacktestPage() {
  const [inputs, setInputs] = useQueryState(inputCodecs);
  const [form] = ProForm.useForm<BacktestValues>();
  const [attempt, setAttempt] = useState(0);
  const isComplete = inputs.long.length > 0 && inputs.short.length > 0;
  const { result, error, running, run, cancel } = useBacktest(isComplete);
  const asked = JSON.stringify(inputs);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is what `inputs` says; `attempt` runs the same again
  useEffect(() => {
    form.setFieldsValue(toForm(inputs));
    if (isComplete) run(toApi(inputs));
  }, [asked, attempt, form, run]);

  // What stands at its field is not said a second time.
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (!error) return;
    const elsewhere = showFieldErrors(form, error.fields, FIELD_OF).join('；');
    setFailure(elsewhere || (error.fields.length > 0 ? '请先改正上方标出的输入' : error.message));
  }, [error, form]);

  const submit = (values: BacktestValues) => {
    const next = toInputs(values);
    if (JSON.stringify({ ...inputs, ...next }) === asked) setAttempt((count) => count + 1);
    else setInputs(next);
  };
  const tryExample = (long: string, short: string) => {
    form.setFieldsValue({ long: [long], short: [short] });
    form.submit();
  };

  return (
    <div className="stack">
      <BacktestForm
        form={form}
        initial={toForm(inputs)}
        running={running}
        result={result}
        onSubmit={submit}
        onCancel={cancel}
      />
      {error && result && (
        <Alert type="warning" showIcon title={`本次运行没有完成：${failure}。下方仍是上一次的结果。`} />
      )}
      {result ? (
        <Suspense fallback={<Spin className={styles.waiting} />}>
          <BacktestReport result={result} stale={running} />
        </Suspense>
      ) : running ? (
        <Spin className={styles.waiting} description="正在计算" />
      ) : error ? (
        <ErrorState
          title="回测没有完成"
          error={{ message: failure }}
          onRetry={() => setAttempt((count) => count + 1)}
        />
      ) : (
        <Suspense fallback={null}>
          <FirstRun source={inputs.source} onExample={tryExample} />
        </Suspense>
      )}
    </div>
  );
}

/** Every failure stands on the screen itself. */
const toldHere = () => true;

interface BacktestRun {
  /** The newest run that succeeded; it stays while another one runs and when that fails. */
  result: BacktestResult | undefined;
  error: CallError | undefined;
  running: boolean;
  run: (query: Partial<BacktestQuery>) => void;
  /** Ends the running one, here and on the server. */
  cancel: () => void;
}

/** Runs backtests one at a time: a new one takes the place of the one before. @param begins whether one is run at once */
function useBacktest(begins: boolean): BacktestRun {
  const [state, setState] = useState<Pick<BacktestRun, 'result' | 'error' | 'running'>>({
    result: undefined,
    error: undefined,
    running: begins,
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
      settle({ result: await call(backtest.hedge, { query }, { signal: controller.signal, quiet: toldHere }) });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      settle({ error });
    }
  }, []);

  useEffect(() => () => current.current?.abort(), []);
  return { ...state, run, cancel };
}
