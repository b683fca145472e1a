import { Tag, Tooltip } from 'antd';
import type { RateNote } from '#contract/kinds/cexRate/scan';

/** What a row is to be read with: a word, and what is behind it. */
export const RATE_NOTE_LABEL: Record<RateNote, readonly [word: string, reason: string]> = {
  interval: ['间隔不同', '两所结算时刻不同，其间只有一边收付；净年化与回本已按各自的时刻计'],
};

/** Notes of a row; they keep nobody from acting. */
export const NoteTags = ({ notes }: { notes: readonly RateNote[] }) =>
  notes.map((note) => {
    const [word, reason] = RATE_NOTE_LABEL[note];
    return (
      <Tooltip key={note} title={reason}>
        <Tag>{word}</Tag>
      </Tooltip>
    );
  });
