import { Alert, Modal, Radio } from 'antd';
import { useState } from 'react';
import { formatDateTime } from '@/components/DateTime';
import { useNarrow } from '@/components/useNarrow';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import styles from './form.module.css';
import type { SchemaForm } from './schemaForm';

type Choice = 'theirs' | 'mine';

interface ConflictDialogProps<V extends object> {
  form: SchemaForm<V>;
  /** What the form began with, what another saved meanwhile, and what is to be saved. */
  base: V;
  theirs: V;
  mine: V;
  savedBy: string | null;
  savedAt: number | null;
  saving: boolean;
  onBack: () => void;
  onMerge: (merged: V) => void;
}

/** Somebody saved in between: the three states side by side, and which of them to keep for each value. */
export function ConflictDialog<V extends object>(props: ConflictDialogProps<V>) {
  const { form, base, theirs, mine, savedBy, savedAt, saving, onBack, onMerge } = props;
  type Name = keyof V & string;
  const byMe = form.changed(base, mine);
  const names = [...new Set([...form.changed(base, theirs), ...byMe])];
  const [chosen, setChosen] = useState<Partial<Record<Name, Choice>>>({});
  // Whoever touched a value means it; what only the other one touched stays as it was left.
  const choiceOf = (name: Name): Choice => chosen[name] ?? (byMe.includes(name) ? 'mine' : 'theirs');
  const merge = () => {
    const kept = names.filter((name) => choiceOf(name) === 'mine').map((name) => [name, mine[name]]);
    onMerge({ ...theirs, ...Object.fromEntries(kept) });
  };
  // Five columns do not fit a phone: there each choice says what it stands for.
  const narrow = useNarrow();
  const column = (key: string, title: string, values: V): Column<{ name: Name }> => ({
    key,
    title,
    width: narrow ? 80 : 124,
    render: ({ name }) => form.text(values, name),
  });
  const saying = (choice: string, values: V, name: Name) => (narrow ? `${choice}：${form.text(values, name)}` : choice);
  const columns: Column<{ name: Name }>[] = [
    { key: 'name', title: '参数', width: narrow ? 84 : 110, render: ({ name }) => form.label(name) },
    column('base', '原来', base),
    ...(narrow ? [] : [column('theirs', '他人', theirs), column('mine', '我的', mine)]),
    {
      key: 'choice',
      title: '保留',
      width: narrow ? 140 : 164,
      render: ({ name }) => (
        <Radio.Group
          aria-label={`${form.label(name)} 保留`}
          size="small"
          vertical={narrow}
          value={choiceOf(name)}
          onChange={({ target }) => setChosen({ ...chosen, [name]: target.value as Choice })}
          options={[
            { value: 'theirs', label: saying('他人', theirs, name) },
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
      <div className={`stack ${styles.stack}`}>
        <Alert
          type="warning"
          showIcon
          title={`${savedBy ?? '有人'} 在 ${savedAt === null ? '此间' : formatDateTime(savedAt, 'second')} 保存了配置。你填的都还在，请选择每一项保留谁的。`}
        />
        <PlainTable label="三方对比" rowKey="name" columns={columns} rows={names.map((name) => ({ name }))} />
      </div>
    </Modal>
  );
}
