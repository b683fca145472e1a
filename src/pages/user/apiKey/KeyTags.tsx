import { CloseCircleFilled, WarningFilled } from '@ant-design/icons';
import { Tag, Tooltip } from 'antd';
import {
  type ApiKeyRow,
  EXPIRY_DANGER_DAYS,
  EXPIRY_WARNING_DAYS,
  KEY_STATE_LABEL,
  KEY_UNTESTED,
  type KeyReport,
  type KeyState,
} from '#contract/apiKey';
import { DateTime } from '@/components/DateTime';
import { Missing } from '@/components/Missing';
import styles from './index.module.css';
import { RIGHT_LABEL } from './keyLabels';

const STATE_COLOR: Record<KeyState, string> = {
  ready: 'success',
  untested: 'warning',
  failed: 'error',
  expired: 'error',
  dangerous: 'error',
  disabled: 'default',
  locked: 'error',
  damaged: 'error',
};

/** Why nothing can be done with a key but to replace it. */
const UNREADABLE: Partial<Record<KeyState, string>> = {
  locked: '由另一个主密钥加密：请恢复原来的主密钥，或更换密钥',
  damaged: '保存的内容与写入时不符，再也读不出来：请更换密钥',
};

/** What the last test found of a key that is in order otherwise, the worst first. */
const foundOf = ({ state, report }: ApiKeyRow) => (state === 'ready' ? (report?.findings ?? []) : []);

/** The state of a key; of one that a danger was found of, that. */
export function stateText(row: ApiKeyRow): string {
  const [worst] = foundOf(row);
  return worst?.level === 'danger' ? worst.name : KEY_STATE_LABEL[row.state];
}

/** How a tag is drawn that says what was found. */
const LEVEL = {
  danger: { color: 'error', icon: <CloseCircleFilled aria-label="危险" /> },
  warning: { color: 'warning', icon: <WarningFilled aria-label="有要注意的事" /> },
} as const;

/** Says why, where the last test found something. */
export function StateTag({ row }: { row: ApiKeyRow }) {
  const findings = row.report?.findings ?? [];
  const reason = UNREADABLE[row.state];
  const [worst] = foundOf(row);
  const lines = findings.map(({ text }) => <div key={text}>{text}</div>);
  return (
    <Tooltip title={reason ?? (lines.length > 0 ? lines : undefined)}>
      <Tag
        {...(worst ? LEVEL[worst.level] : { color: STATE_COLOR[row.state] })}
        tabIndex={lines.length > 0 || reason ? 0 : undefined}
      >
        {stateText(row)}
      </Tag>
    </Tooltip>
  );
}

/** What a key may do; what nothing needs is grey, what must not be there red with a sign. */
export function RightTags({ rights }: Pick<KeyReport, 'rights'>) {
  if (rights === null) return <Missing reason={KEY_UNTESTED} />;
  return (
    <span className={styles.tags}>
      {rights.map((right) =>
        right === 'withdraw' ? (
          <Tag key={right} color="error" icon={<CloseCircleFilled />}>
            {RIGHT_LABEL[right]}
          </Tag>
        ) : (
          <Tag key={right}>{RIGHT_LABEL[right]}</Tag>
        ),
      )}
    </span>
  );
}

const UNRESTRICTED = '未限制';

/** The addresses that may use a key, or whether only some may; null where that is not known. */
export function ipText(report: KeyReport | null): string | null {
  const { ipList = null, ipRestricted = null } = report ?? {};
  if (ipList !== null && ipList.length > 0) return ipList.join(' ');
  if (ipRestricted) return '已限制';
  return ipList === null && ipRestricted === null ? null : UNRESTRICTED;
}

/** That any address may use the key is told in amber. */
export function IpTags({ report }: { report: KeyReport | null }) {
  const text = ipText(report);
  if (text === null) return <Missing reason={KEY_UNTESTED} />;
  if (text !== UNRESTRICTED) return <span className="figure">{text}</span>;
  return (
    <Tag color="warning" icon={<WarningFilled />}>
      {UNRESTRICTED}
    </Tag>
  );
}

/** When a key ends, and in how many days. */
export function Expiry({ row: { expiresAt, daysLeft } }: { row: ApiKeyRow }) {
  if (expiresAt === null || daysLeft === null) return <Missing reason="没有到期日，或还没有测试" />;
  const level = daysLeft < EXPIRY_DANGER_DAYS ? 'error' : daysLeft < EXPIRY_WARNING_DAYS ? 'warning' : undefined;
  return (
    <span className={styles.tags}>
      <DateTime value={expiresAt} precision="day" />
      <Tag color={level}>{daysLeft < 0 ? '已过期' : daysLeft === 0 ? '不足 1 天' : `剩 ${daysLeft} 天`}</Tag>
    </span>
  );
}
