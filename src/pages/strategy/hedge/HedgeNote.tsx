import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { AuthoredNote } from '@/components/AuthoredNote';
import { useHedgeScreen } from './hedgeContext';

/** A hedge's note. */
export function HedgeNote({ row }: { row: Pick<HedgeRow, 'id' | 'note' | 'noteBy' | 'noteAt' | 'long' | 'short'> }) {
  const { notes } = useHedgeScreen();
  return <AuthoredNote label={`${row.long} / ${row.short} 的备注`} row={row} notes={notes} />;
}
