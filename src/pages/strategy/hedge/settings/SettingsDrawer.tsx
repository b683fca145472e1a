import { Alert, Button, Drawer, Form } from 'antd';
import { useEffect, useState } from 'react';
import { DEFAULT_SETTINGS, type HedgeDesk, type HedgeSettings, PAPER_CAPITAL } from '#contract/hedgeConfig';
import { formatDateTime } from '@/components/DateTime';
import { formatNumber } from '@/components/formatNumber';
import { toast } from '@/components/toast';
import { confirmDiscard } from '../hedgeActions';
import styles from '../index.module.css';
import { ConflictDialog } from './ConflictDialog';
import { ReviewDialog } from './ReviewDialog';
import { SettingsFields } from './SettingsFields';
import { type SettingsValues, toApi, toForm, valuesChanged } from './settingsValues';
import { settingLabel, settingsChanged } from './settingWords';
import { useSettingsSave } from './useSettingsSave';

interface SettingsDrawerProps {
  desk: HedgeDesk;
  onClose: () => void;
  onSaved: () => void;
}

/** How the pairs are traded: edit, look at what changes, save; a save in between is shown and merged. */
export default function SettingsDrawer({ desk, onClose, onSaved }: SettingsDrawerProps) {
  const [form] = Form.useForm<SettingsValues>();
  /** What the form began with: the newest reading may already be another's. */
  const [base, setBase] = useState({ settings: desk.settings, version: desk.version });
  const [mine, setMine] = useState<HedgeSettings>();
  const { saving, refusal, fields, conflict, save, forget } = useSettingsSave();
  const first = base.settings === null;

  useEffect(() => {
    if (fields.length === 0) return;
    setMine(undefined);
    form.setFields(fields.map(({ field, message }) => ({ name: field as keyof SettingsValues, errors: [message] })));
    form.scrollToField(fields[0]!.field, { block: 'center' });
  }, [fields, form]);

  const review = (values: SettingsValues) => {
    forget();
    const next = toApi(values);
    if (base.settings && settingsChanged(base.settings, next).length === 0) return toast.info('没有修改');
    setMine(next);
  };
  const commit = async (settings: HedgeSettings, version: number) => {
    if (!(await save(settings, version))) return;
    onSaved();
    onClose();
  };
  const merge = (merged: HedgeSettings, theirs: HedgeDesk) => {
    form.setFieldsValue(toForm(merged));
    setBase({ settings: theirs.settings, version: theirs.version });
    setMine(merged);
    void commit(merged, theirs.version);
  };
  const leave = () => {
    const typed = valuesChanged(toForm(base.settings ?? DEFAULT_SETTINGS), form.getFieldsValue());
    if (typed.length === 0) onClose();
    else confirmDiscard(typed.map(settingLabel), onClose);
  };
  const overtaken = desk.version !== base.version && !conflict;

  return (
    <Drawer
      open
      size="min(760px, 100vw)"
      title="对冲配置"
      onClose={leave}
      // What was typed is not lost to a click beside it.
      mask={{ closable: false }}
      footer={
        <div className={styles.formButtons}>
          <Button onClick={leave}>关闭</Button>
          <Button type="primary" onClick={form.submit}>
            {first ? '检查并保存' : '查看修改'}
          </Button>
        </div>
      }
    >
      <div className={styles.stack}>
        {first && (
          <Alert
            type="info"
            showIcon
            title={`首次保存会开立一个模拟账户，初始资金 ${formatNumber(PAPER_CAPITAL, { digits: 0 })} USDT。`}
          />
        )}
        {overtaken && (
          <Alert
            type="warning"
            showIcon
            title={`${desk.updatedBy ?? '有人'} 在 ${desk.updatedAt === null ? '此间' : formatDateTime(desk.updatedAt)} 保存了另一份配置；保存时会先列出差异。`}
          />
        )}
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={toForm(base.settings ?? DEFAULT_SETTINGS)}
          scrollToFirstError
          onFinish={review}
        >
          <SettingsFields />
        </Form>
      </div>
      {mine && !conflict && (
        <ReviewDialog
          before={base.settings}
          after={mine}
          saving={saving}
          refusal={refusal}
          onBack={() => setMine(undefined)}
          onSave={() => void commit(mine, base.version)}
        />
      )}
      {mine && conflict && (
        <ConflictDialog
          key={conflict.version}
          base={base.settings ?? DEFAULT_SETTINGS}
          theirs={conflict}
          mine={mine}
          saving={saving}
          onBack={() => {
            forget();
            setMine(undefined);
          }}
          onMerge={(merged) => merge(merged, conflict)}
        />
      )}
    </Drawer>
  );
}
