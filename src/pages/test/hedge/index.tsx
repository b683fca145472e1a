import { ProForm } from '@ant-design/pro-components';
import { Alert, Spin } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { showFieldErrors } from '@/form/fieldErrors';
import { BacktestForm } from './BacktestForm';
import { type BacktestValues, FIELD_OF, inputCodecs, toApi, toForm, toInputs } from './backtestValues';
import { FirstRun } from './FirstRun';
import styles from './index.module.css';
import { useBacktest } from './useBacktest';

// Tiles, tables and charts are wanted only once there is something to show in them.
const BacktestReport = late(() => import('./BacktestReport'));

/** 中性回测: the URL holds the inputs; opened with both sides it runs at once. */
export default function BacktestPage() {
  const [inputs, setInputs] = useQueryState(inputCodecs);
  const [form] = ProForm.useForm<BacktestValues>();
  const [attempt, setAttempt] = useState(0);
  const { result, error, running, run, cancel } = useBacktest();
  const asked = JSON.stringify(inputs);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is what `inputs` says; `attempt` runs the same again
  useEffect(() => {
    form.setFieldsValue(toForm(inputs));
    if (inputs.long.length > 0 && inputs.short.length > 0) run(toApi(inputs));
  }, [asked, attempt, form, run]);

  useEffect(() => {
    if (error) showFieldErrors(form, error.fields, FIELD_OF);
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
    <div className={styles.page}>
      <BacktestForm
        form={form}
        initial={toForm(inputs)}
        running={running}
        result={result}
        onSubmit={submit}
        onCancel={cancel}
      />
      {error && result && (
        <Alert type="warning" showIcon title={`本次运行没有完成：${error.message}。下方仍是上一次的结果。`} />
      )}
      {result ? (
        <Suspense fallback={<Spin className={styles.waiting} />}>
          <BacktestReport result={result} stale={running} />
        </Suspense>
      ) : running ? (
        <Spin className={styles.waiting} description="正在计算" />
      ) : error ? (
        <ErrorState title="回测没有完成" error={error} onRetry={() => setAttempt((count) => count + 1)} />
      ) : (
        <FirstRun source={inputs.source} onExample={tryExample} />
      )}
    </div>
  );
}
