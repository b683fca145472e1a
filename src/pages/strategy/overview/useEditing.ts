import { useState } from 'react';
import { strategies } from '#contract/strategies';
import type { OverviewRow } from '#contract/strategyOverview';
import { toast } from '@/components/toast';
import { type AnyForm, KINDS } from '@/kinds';
import { call } from '@/services/call';
import type { Draft } from '@/strategy/StrategyDrawer';

type Params = Record<string, unknown>;

interface Editing {
  row: OverviewRow;
  form: AnyForm;
  draft: Draft<Params>;
}

/** Whether a strategy's params are changed in a drawer; otherwise they have a desk of their own. */
export const isEditable = ({ kind }: Pick<OverviewRow, 'kind'>): boolean => KINDS[kind].form !== null;

/** The strategy that is edited: its params as they are now, and the form of its kind. */
export function useEditing() {
  const [editing, setEditing] = useState<Editing>();
  const begin = async (row: OverviewRow) => {
    const load = KINDS[row.kind].form;
    if (load === null) return;
    const [{ list }, form] = await Promise.all([call(strategies.list, { query: { kind: row.kind } }), load()]);
    const edited = list.find(({ id }) => id === row.id);
    if (edited === undefined) return void toast.error(`${row.name} 已被删除`);
    setEditing({ row, form, draft: { edited, name: edited.name, params: edited.params as Params } });
  };
  return {
    editing,
    // What went wrong was said by the call itself.
    edit: (row: OverviewRow) => void begin(row).catch(() => {}),
    end: () => setEditing(undefined),
  };
}
