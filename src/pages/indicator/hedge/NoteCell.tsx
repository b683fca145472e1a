import { EditOutlined } from '@ant-design/icons';
import { lazy, Suspense } from 'react';
import type { EvaluateRow } from '#contract/evaluate';
import styles from './index.module.css';
import { useSelection } from './selectionContext';

const NoteEditor = lazy(() => import('./NoteEditor'));

/** The team's note; who may edit it writes right here. */
export function NoteCell({ row }: { row: EvaluateRow }) {
  const { editable, draftOf, setDraft } = useSelection();
  const text = (
    <span className={row.note === '' ? 'missing' : styles.note} title={row.note}>
      {row.note || (editable ? '写评价' : '-')}
    </span>
  );
  if (!editable) return text;
  const draft = draftOf(row.symbol);
  if (draft) {
    return (
      <Suspense fallback={text}>
        <NoteEditor row={row} draft={draft} />
      </Suspense>
    );
  }
  return (
    <button
      type="button"
      className={styles.plain}
      aria-label={`编辑 ${row.symbol} 的评价`}
      onClick={() => setDraft(row.symbol, row.note)}
    >
      {text}
      <EditOutlined className="missing" />
    </button>
  );
}
