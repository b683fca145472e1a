import { ProForm } from '@ant-design/pro-components';
import { Alert } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { DEFAULT_SETTINGS, type HedgeDesk, type HedgeSettings } from '#contract/kinds/hedge/config';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
import { atHome } from '@/form/atHome';
import { ConflictDialog } from '@/form/ConflictDialog';
import { DrawerForm } from '@/form/DrawerForm';
import { showFieldErrors } from '@/form/fieldErrors';
import { SchemaFields } from '@/form/SchemaFields';
import { ReviewDialog } from './ReviewDialog';
import { settingsForm } from './settingsForm';
import { type Saving, useSettingsSave } from './useSettingsSave';

interface SettingsDrawerProps {
  desk: HedgeDesk;
  /** What the first settings begin with instead of the defaults. */
  carried?: Partial<HedgeSettings>;
  /** What is to be changed, as a change not saved yet. */
  wished?: Partial<HedgeSettings>;
  /** What follows the first save, where something waits for it. */
  next?: ReactNode;
  onClose: () => void;
  onSaved: () => void;
}

/** How the pairs are traded: edit, look at what changes, save; a save in between is shown and merged. */
export default function SettingsDrawer({ desk, carried, wished, next, onClose, onSaved }: SettingsDrawerProps) {
  const [form] = ProForm.useForm<HedgeSettings>();
  /** What the form began with: the newest reading may already be another's. */
  const [base, setBase] = useState({ settings: desk.settings, version: desk.version });
  const [mine, setMine] = useState<HedgeSettings>();
  const { saving, refusal, fields, conflict, save, forget } = useSettingsSave();
  const first = base.settings === null;
  const standing = base.settings ?? { ...atHome(DEFAULT_SETTINGS), ...carried };

  useEffect(() => {
    if (fields.length === 0) return;
    setMine(undefined);
    showFieldErrors(form, fields);
  }, [fields, form]);

  const review = (values: HedgeSettings) => {
    forget();
    const wanted = settingsForm.toApi(values);
    if (!first && settingsForm.changed(standing, wanted).length === 0) toast.info('没有修改');
    else setMine(wanted);
  };
  const commit = async (settings: HedgeSettings, version: number, chosen?: Saving) => {
    if (!(await save(settings, version, chosen))) return false;
    onSaved();
    onClose();
    return true;
  };
  const merge = (merged: HedgeSettings, theirs: HedgeDesk) => {
    form.setFieldsValue(settingsForm.toForm(merged));
    setBase({ settings: theirs.settings, version: theirs.version });
    // What it would open is looked at again.
    forget();
    setMine(merged);
  };
  const overtaken = desk.version !== base.version && !conflict;

  return (
    <DrawerForm<HedgeSettings>
      title="对冲配置"
      width="min(760px, 100vw)"
      form={form}
      initialValues={settingsForm.toForm({ ...standing, ...wished })}
      keepsDraft
      unsavedIn={(values) => settingsForm.changed(settingsForm.toForm(standing), values).map(settingsForm.label)}
      submitText={first ? '检查并保存' : '查看修改'}
      onFinish={review}
      onClose={onClose}
    >
      {first && <Alert type="info" showIcon title="这些参数用于你的模拟账户，之后随时可以修改。" description={next} />}
      {overtaken && (
        <Alert
          type="warning"
          showIcon
          title={`${desk.updatedBy ?? '有人'} 在 ${desk.updatedAt === null ? '此间' : formatDateTime(desk.updatedAt)} 保存了另一份配置；保存时会先列出差异。`}
        />
      )}
      {wished !== undefined && !first && (
        <Alert
          type="info"
          showIcon
          title={`已填入要改的：${settingsForm
            .changed(standing, { ...standing, ...wished })
            .map(settingsForm.label)
            .join('、')}。只影响以后开的对冲单，进行中的保持开仓时的参数。`}
        />
      )}
      <div>
        <SchemaFields form={settingsForm} />
      </div>
      {mine && !conflict && (
        <ReviewDialog
          before={base.settings}
          after={mine}
          tripped={desk.tripped !== null}
          version={base.version}
          saving={saving}
          refusal={refusal}
          onBack={() => setMine(undefined)}
          onSave={(chosen, resume) => commit(mine, base.version, chosen && { ...chosen, resume: resume === true })}
        />
      )}
      {mine && conflict && (
        <ConflictDialog
          key={conflict.version}
          form={settingsForm}
          base={standing}
          theirs={conflict.settings ?? standing}
          mine={mine}
          savedBy={conflict.updatedBy}
          savedAt={conflict.updatedAt}
          saving={saving}
          onBack={() => {
            forget();
            setMine(undefined);
          }}
          onMerge={(merged) => merge(merged, conflict)}
        />
      )}
    </DrawerForm>
  );
}
