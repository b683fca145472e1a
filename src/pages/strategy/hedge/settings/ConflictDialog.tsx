import { Alert, Modal, Radio, Table, type TableColumnsType } from 'antd';
import { useState } from 'react';
import type { HedgeDesk, HedgeSettings } from '#contract/hedgeConfig';
import { formatDateTime } from '@/components/DateTime';
import { useNarrow } from '@/components/useNarrow';
import styles from '../index.module.css';
import { type SettingName, settingLabel, settingsChanged, settingText } from './settingWords';

type Choice = 'theirs' | 'mine';

interface ConflictDialogProps {
  base: HedgeSettings;
  theirs: HedgeDesk;
  mine: HedgeSettings;
  saving: boolean;
  onBack: () => void;
  onMerge: (merged: HedgeSettings) => void;
}

/** Somebody saved in between: the three states side by side, and which of them to keep for each setting. */
export function ConflictDialog({ base, theirs, mine, saving, onBack, onMerge }: ConflictDialogProps) {
  const other = theirs.settings ?? base;
  const byMe = settingsChanged(base, mine);
  const names = [...new Set([...settingsChanged(base, other), ...byMe])];
  const [chosen, setChosen] = useState<Partial<Record<SettingName, Choice>>>({});
  // Whoever touched a setting means it; what only the other one touched stays as he left it.
  const choiceOf = (name: SettingName): Choice => chosen[name] ?? (byMe.includes(name) ? 'mine' : 'theirs');
  const merge = () => {
    const kept = names.filter((name) => choiceOf(name) === 'mine').map((name) => [name, mine[name]]);
    onMerge({ ...other, ...Object.fromEntries(kept) });
  };
  const column = (title: string, settings: HedgeSettings) => ({
    title,
    render: (_: unknown, { name }: { name: SettingName }) => settingText(settings, name),
  });
  // Five columns do not fit a phone: there each choice says what it stands for.
  const narrow = useNarrow();
  const saying = (choice: string, settings: HedgeSettings, name: SettingName) =>
    narrow ? `${choice}：${settingText(settings, name)}` : choice;
  const columns: TableColumnsType<{ name: SettingName }> = [
    { title: '参数', render: (_value, { name }) => settingLabel(name) },
    column('原来', base),
    ...(narrow ? [] : [column('他人', other), column('我的', mine)]),
    {
      title: '保留',
      render: (_value, { name }) => (
        <Radio.Group
          aria-label={`${settingLabel(name)} 保留`}
          size="small"
          vertical={narrow}
          value={choiceOf(name)}
          onChange={({ target }) => setChosen({ ...chosen, [name]: target.value as Choice })}
          options={[
            { value: 'theirs', label: saying('他人', other, name) },
            { value: 'mine', label: saying('我的', mine, name) },
          ]}
        />
      ),
    },
  ];
  return (
    <Modal
      open
      width="min(720px, calc(100vw - 32px))"
      title="配置已被他人修改"
      okText="按所选保存"
      cancelText="返回修改"
      confirmLoading={saving}
      onOk={merge}
      onCancel={onBack}
    >
      <div className={styles.stack}>
        <Alert
          type="warning"
          showIcon
          title={`${theirs.updatedBy ?? '有人'} 在 ${theirs.updatedAt === null ? '此间' : formatDateTime(theirs.updatedAt, 'second')} 保存了配置。你填的都还在，请选择每一项保留谁的。`}
        />
        <Table
          size="small"
          aria-label="三方对比"
          rowKey="name"
          columns={columns}
          dataSource={names.map((name) => ({ name }))}
          pagination={false}
          scroll={narrow ? undefined : { x: 'max-content' }}
        />
      </div>
    </Modal>
  );
}
