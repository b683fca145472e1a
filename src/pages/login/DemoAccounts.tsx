import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { type Environment, service } from '#contract/service';
import { roleLabel } from '@/components/roleLabel';
import { call } from '@/services/call';

interface DemoAccountsProps {
  onChoose: (account: { username: string; password: string }) => void;
}

/** The accounts of a demo server, each filled in by one click; nothing on any other server. */
export function DemoAccounts({ onChoose }: DemoAccountsProps) {
  const [environment, setEnvironment] = useState<Environment>();
  useEffect(() => {
    // Without an answer the page is a login page all the same.
    call(service.environment, {}).then(setEnvironment, () => {});
  }, []);
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
