import { useState } from 'react';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';
import { toast } from '@/components/toast';
import type { SchemaForm } from '@/form/schemaForm';
import { KINDS } from '@/kinds';
import { call } from '@/services/call';
import type { Draft } from '@/strategy/StrategyDrawer';

type Params = Record<string, unknown>;

/** A form of params whose kind is known by nobody but the form. */
type AnyForm = SchemaForm<Params>;

/** The form of a kind's params, out of the folder of its screen. */
async function formOf(kind: StrategyKind): Promise<AnyForm> {
  const { form } = await import(`../${kind}/form`);
  return form;
}

interface Editing {
  row: OverviewRow;
  form: AnyForm;
  draft: Draft<Params>;
}

/** Whether a strategy's params are changed in a drawer; otherwise they have a desk of their own. */
export const isEditable = ({ kind }: Pick<OverviewRow, 'kind'>): boolean => KINDS[kind].hasForm;

/** The strategy that is edited: its params as they are now, and the form of its kind. */
export function useEditing() {
  const [editing, setEditing] = useState<Editing>();
  const begin = async (row: OverviewRow, asCopy: boolean) => {
    if (!isEditable(row)) return;
    const [{ list }, form] = await Promise.all([
      call(strategies.list, { query: { kind: row.kind } }),
      formOf(row.kind),
    ]);
    const edited = list.find(({ id }) => id === row.id);
    if (edited === undefined) return void toast.error(`${row.name} 已被删除`);
    const params = edited.params as Params;
    const draft = asCopy ? { name: `${edited.name} 副本`, params } : { edited, name: edited.name, params };
    setEditing({ row, form, draft });
  };
  return {
    editing,
    // What went wrong was said by the call itself.
    edit: (row: OverviewRow) => void begin(row, false).catch(() => {}),
    clone: (row: OverviewRow) => void begin(row, true).catch(() => {}),
    end: () => setEditing(undefined),
  };
}
