import { Button, type FormInstance } from 'antd';
import type { KeyDesk } from '#contract/apiKey';
import styles from './index.module.css';
import type { KeyValues } from './keyForm';

interface DemoKeysProps {
  examples: NonNullable<KeyDesk['exchange']>['examples'];
  form: FormInstance<KeyValues>;
  onFill: () => void;
}

/** Keys that the simulated exchange knows, to see what a test can come to. */
export const DemoKeys = ({ examples, form, onFill }: DemoKeysProps) => (
  <details className={styles.examples}>
    <summary>模拟交易所：可以试的 Key（Secret 与 Passphrase 随意填写）</summary>
    <ul>
      {examples.map(({ key, effect }) => (
        <li key={key}>
          <Button
            size="small"
            type="link"
            onClick={() => {
              form.setFieldsValue({ key, secret: 'demo-secret', passphrase: 'demo' });
              onFill();
            }}
          >
            {key}
          </Button>
          <span className="soft">{effect}</span>
        </li>
      ))}
    </ul>
  </details>
);
