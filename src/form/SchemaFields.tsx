import { Form } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './form.module.css';
import type { Fill } from './formView';
import { SchemaField } from './SchemaField';
import type { SchemaForm } from './schemaForm';

type Name = string | number;

interface SchemaFieldsProps<V extends object> {
  form: SchemaForm<V>;
  onFill?: Fill<V>;
  /** One field more of the folded part, before its groups. */
  more?: ReactNode;
}

/** Holds the fields of a schema's form: the few that are always asked for, and the rest in its groups, folded. */
export function SchemaFields<V extends object>({ form, onFill, more }: SchemaFieldsProps<V>) {
  const { first = [], groups } = form.view;
  const isFirst = (name: string) => first.some((one) => one === name);
  const toolOf = ({ tool }: (typeof groups)[number]) => onFill && tool?.(onFill);
  const grid = (fields: readonly (keyof V & string)[]) => (
    <div className={styles.grid}>
      {fields.map((name) => (
        <SchemaField key={name} form={form} name={name} />
      ))}
    </div>
  );
  const rest = groups.map((group) => ({ ...group, fields: group.fields.filter((name) => !isFirst(name)) }));
  const begun = groups.filter(({ fields }) => fields.some(isFirst));
  return (
    <>
      {begun.map((group) => (
        <div key={group.title}>{toolOf(group)}</div>
      ))}
      {grid(first)}
      <Advanced names={rest.flatMap(({ fields }) => fields)} more={more ? 1 : 0}>
        {more && <div className={styles.grid}>{more}</div>}
        {rest.map(
          (group) =>
            group.fields.length > 0 && (
              <fieldset key={group.title} className={styles.group}>
                <legend>{group.title}</legend>
                {!begun.some(({ title }) => title === group.title) && toolOf(group)}
                {grid(group.fields)}
              </fieldset>
            ),
        )}
      </Advanced>
    </>
  );
}

/** 高级: folded until somebody opens it, or something in it is refused. */
function Advanced({ names, more, children }: { names: readonly string[]; more: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.advanced} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>高级（{names.length + more} 项）</summary>
      <Form.Item noStyle shouldUpdate>
        {({ getFieldsError, scrollToField }) => (
          <OpensWith
            refused={getFieldsError([...names]).find(({ errors }) => errors.length > 0)}
            open={() => setOpen(true)}
            // Once it is unfolded.
            lead={(name) => requestAnimationFrame(() => scrollToField(name, { block: 'center' }))}
          />
        )}
      </Form.Item>
      {children}
    </details>
  );
}

interface OpensWithProps {
  refused: { name: Name[]; errors: string[] } | undefined;
  open: () => void;
  lead: (name: Name) => void;
}

/** Unfolds with each refusal, also of what was refused and folded before; leads to a field once, while others may be typed in. */
function OpensWith({ refused, open, lead }: OpensWithProps) {
  const name = refused?.name[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new refusal opens it
  useEffect(() => {
    if (refused) open();
  }, [refused?.errors]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another field is led to
  useEffect(() => {
    if (name !== undefined) lead(name);
  }, [name]);
  return null;
}
