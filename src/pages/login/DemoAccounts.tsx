import { Button } from 'antd';
import type { Environment } from '#contract/service';
import { roleLabel } from '@/components/roleLabel';

interface DemoAccountsProps {
  /** undefined until it is known. */
  environment: Environment | undefined;
  onChoose: (account: { username: string; password: string }) => void;
}

/** The accounts of a demo server, each filled in by one click; nothing on any other server. */
export function DemoAccounts({ environment, onChoose }: DemoAccountsProps) {
  if (!environment?.demo || environment.accounts.length === 0) return null;
  return (
    <section className="demo-accounts" aria-label="演示账户">
      <p>演示环境：模拟行情。点击填入演示账户</p>
      {environment.accounts.map(({ name, password, role }) => (
        <Button key={name} size="small" onClick={() => onChoose({ username: name, password })}>
          {name} · {roleLabel(role)}
        </Button>
      ))}
    </section>
  );
}
