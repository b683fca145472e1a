import type { ReactNode } from 'react';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import type { SchemaForm } from './schemaForm';

interface ChangesTableProps<V extends object> {
  form: SchemaForm<V>;
  /** `null` for what is saved for the first time: all values stand there then. */
  before: V | null;
  after: V;
}

/** What a save would change, value by value. */
export function ChangesTable<V extends object>({ form, before, after }: ChangesTableProps<V>) {
  type Name = keyof V & string;
  const rows = (before ? form.changed(before, after) : form.names).map((name) => ({ name }));
  const column = (title: string, render: (name: Name) => ReactNode): Column<{ name: Name }> => ({
    key: title,
    title,
    width: 110,
    render: ({ name }) => render(name),
  });
  const columns = [
    column('参数', form.label),
    ...(before ? [column('修改前', (name) => form.text(before, name))] : []),
    column(before ? '修改后' : '取值', (name) => <strong>{form.text(after, name)}</strong>),
  ];
  return <PlainTable label="修改前后" rowKey="name" columns={columns} rows={rows} maxHeight={320} />;
}
