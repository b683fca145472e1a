import { Form, type FormInstance } from 'antd';
import { containsName } from '#contract/session';

/** Registration's own limit; the schema refuses less as well. */
const LENGTH = 10;

interface PasswordRulesProps {
  form: FormInstance<{ username: string; password: string; repeated: string }>;
}

/** What a password must be, ticked off while it is typed. */
export function PasswordRules({ form }: PasswordRulesProps) {
  const username = Form.useWatch('username', form) ?? '';
  const password = Form.useWatch('password', form) ?? '';
  const repeated = Form.useWatch('repeated', form) ?? '';
  const rules = [
    { text: `至少 ${LENGTH} 个字符（现在 ${[...password].length} 个）`, met: [...password].length >= LENGTH },
    { text: '不含用户名', met: password !== '' && !containsName(password, username) },
    { text: '两次输入一致', met: password !== '' && password === repeated },
  ];
  return (
    <ul className="password-rules" aria-label="密码要求">
      {rules.map(({ text, met }) => (
        <li key={text} className={met ? 'met' : undefined}>
          <span role="img" aria-label={met ? '已满足' : '未满足'}>
            {met ? '✓' : '○'}
          </span>{' '}
          {text}
        </li>
      ))}
    </ul>
  );
}
