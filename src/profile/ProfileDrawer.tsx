import { useModel } from '@umijs/max';
import { Button, Drawer, Input, Segmented, Select, Skeleton, Tag, Tooltip } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { password } from '#contract/password';
import { NUMBER_STYLE_LABEL, RISE_LABEL, TIME_ZONE_LABEL } from '#contract/preferenceLabels';
import { session } from '#contract/session';
import { ORIGIN_LABEL, ORIGIN_REASON, type Origin } from '#contract/sessionRow';
import { Amount } from '@/components/Amount';
import { chooseAppearance } from '@/components/chooseAppearance';
import { confirmAction } from '@/components/confirmAction';
import { DateTime, formatDateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { Pnl } from '@/components/Pnl';
import { roleLabel } from '@/components/roleLabel';
import { toast } from '@/components/toast';
import { useAppearance } from '@/components/useAppearance';
import { useFocusBack } from '@/components/useFocusBack';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { repeats, rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { optionsOf } from '@/table/FilterSelect';
import BinanceIdDialog from './BinanceIdDialog';
import styles from './profile.module.css';
import { SecondFactor } from './SecondFactor';

/** Where an address is, as far as that is known. */
const OriginWord = ({ origin }: { origin: Origin }) => (
  <Tooltip title={ORIGIN_REASON}>
    <span>{ORIGIN_LABEL[origin]}</span>
  </Tooltip>
);

const NotificationSettings = late(() => import('@/notification/NotificationSettings'));

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** 个人设置: what a user keeps of the own account, open until it is closed. */
export default function ProfileDrawer({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const { initialState, setInitialState } = useModel('@@initialState');
  const [dialog, setDialog] = useState<'binanceId' | 'password' | null>(null);
  const user = initialState?.user;
  if (!user) return null;
  const bound = (binanceId: string) => {
    setDialog(null);
    void setInitialState({ ...initialState, user: { ...user, binanceId } });
  };
  return (
    <Drawer open title="个人设置" size="min(560px, 100vw)" onClose={onClose}>
      <div className={styles.sections}>
        <Section title="账户">
          <p>
            {user.name} · {roleLabel(user.role)} · 创建于 <DateTime value={user.createdAt} precision="day" />
          </p>
          <div className={styles.line}>
            <span>
              币安 UID：<strong className="figure">{user.binanceId ?? '未绑定'}</strong>
            </span>
            <Button onClick={() => setDialog('binanceId')}>{user.binanceId === null ? '绑定' : '修改'}</Button>
          </div>
        </Section>
        <Section title="密码">
          <div className={styles.line}>
            <span className="soft">修改后其他设备上的登录随即失效</span>
            <Button onClick={() => setDialog('password')}>修改密码</Button>
          </div>
        </Section>
        <Section title="两步验证">
          <SecondFactor />
        </Section>
        <Section title="登录会话">
          <OwnSessions />
        </Section>
        <Section title="显示">
          <Habits />
        </Section>
        <Section title="通知">
          <Suspense fallback={<Skeleton active />}>
            <NotificationSettings />
          </Suspense>
        </Section>
      </div>
      {dialog === 'binanceId' && (
        <BinanceIdDialog current={user.binanceId} onSaved={bound} onClose={() => setDialog(null)} />
      )}
      {dialog === 'password' && <PasswordDialog onClose={() => setDialog(null)} />}
    </Drawer>
  );
}

const rules = rulesOf(password.change.body!);

/** Changes one's own password. */
function PasswordDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title="修改密码"
      initialValues={{ password: '', newPassword: '', repeated: '' }}
      losing={{ newPassword: '新密码' }}
      okText="修改密码"
      save={async ({ repeated: _repeated, ...body }, options) => {
        const { revoked } = await call(password.change, { body }, options);
        toast.success(revoked === 0 ? '已修改密码' : `已修改密码，并退出了其他 ${revoked} 台设备`);
        onClose();
      }}
      onClose={onClose}
    >
      <Field name="password" label="当前密码" rules={rules.password}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Field>
      <Field
        name="newPassword"
        label="新密码"
        extra="至少 10 个字符，不含用户名，不是常见密码"
        rules={rules.newPassword}
      >
        <Input.Password autoComplete="new-password" maxLength={200} />
      </Field>
      <Field
        name="repeated"
        label="确认新密码"
        dependencies={['newPassword']}
        rules={repeats('newPassword', '确认新密码')}
      >
        <Input.Password autoComplete="new-password" maxLength={200} />
      </Field>
    </FormDialog>
  );
}

const END = '退出该设备';

/** Where one is signed in; each of the others can be ended, or all of them. */
function OwnSessions() {
  const { data, error, mutate, retry } = useCall(session.list, {});
  if (error && data === undefined) return <ErrorState error={error} onRetry={retry} />;
  if (data === undefined) return <Skeleton active />;
  const end = (verb: string, subject: string, consequence: string, id?: string) =>
    confirmAction({
      verb,
      subject,
      consequence,
      run: async () => {
        const { revoked } = await call(session.revoke, { body: id === undefined ? {} : { id } });
        toast.success(`已退出 ${revoked} 台设备`);
        await mutate();
      },
    });
  return (
    <>
      {data.list.map(({ id, current, device, address, origin, createdAt, seenAt }) => (
        <div key={id} className={styles.session}>
          <div>
            {device ?? '未知设备'} · {address}（<OriginWord origin={origin} />）
            <div className="soft">
              登录 <DateTime value={createdAt} />
              ，最近访问 <DateTime value={seenAt} />
            </div>
          </div>
          {current ? (
            <Tag color="processing">当前</Tag>
          ) : (
            <Button danger size="small" onClick={() => end(END, device ?? '未知设备', '该设备需要重新登录。', id)}>
              {END}
            </Button>
          )}
        </div>
      ))}
      {data.list.length > 1 && (
        <Button danger onClick={() => end('退出', '其他全部设备', '除本设备外，所有设备都需要重新登录。')}>
          退出其他全部设备
        </Button>
      )}
    </>
  );
}

const RISES = optionsOf(RISE_LABEL);
const NUMBERS = optionsOf(NUMBER_STYLE_LABEL);
const ZONES = optionsOf(TIME_ZONE_LABEL);

/** Colour and number habit and time zone, kept with the account and so on every device, with what they look like. */
function Habits() {
  const { rise, numbers, timeZone } = useAppearance();
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <span>涨跌颜色</span>
        <Segmented
          aria-label="涨跌颜色"
          options={RISES}
          value={rise}
          onChange={(value) => chooseAppearance({ rise: value }, true)}
        />
      </div>
      <div className={styles.line}>
        <span>金额写法</span>
        <Segmented
          aria-label="金额写法"
          options={NUMBERS}
          value={numbers}
          onChange={(value) => chooseAppearance({ numbers: value }, true)}
        />
      </div>
      <div className={styles.line}>
        <span>时区</span>
        <Select
          aria-label="时区"
          className={styles.zone}
          options={ZONES}
          value={timeZone}
          onChange={(value) => chooseAppearance({ timeZone: value }, true)}
        />
      </div>
      <p className="soft">
        例：成交额 <Amount value={1_234_567_890} compact unit="USDT" />
        ，权益 <Amount value={123_456.78} unit="USDT" />
        ，盈亏 <Pnl value={12_345.6} unit="USDT" /> <Pnl value={-789.1} unit="USDT" />
        。自动：成交额等大数缩写，账目写全。确认对话框与委托的精确数值总是写全。时区用于所有时间与日内图表，现在是{' '}
        {formatDateTime(Date.now())}；日线、结算日仍为 UTC 日。
      </p>
    </div>
  );
}
