import type { Choose } from './OpeningBody';

export const RESUME = 'resume';

/** A limit in USDT, null for none. */
type Limit = number | null | undefined;

export const isRaised = (before: Limit, after: Limit): boolean => before != null && (after == null || after > before);

/** The question that comes with a limit that is raised: what it has stopped goes on only where that is ticked. */
export const RESUME_CHOICE: Choose = {
  label: '熔断',
  options: [{ value: RESUME, label: '提高上限后恢复：解除因原上限的熔断，先列出会开的标的' }],
  chosen: [],
};

/** What became of it, for the toast. */
export const resumedWords = (resumed: boolean | undefined, words: string): string =>
  resumed ? `已保存并恢复：${words}` : '已保存；仍达到上限，没有恢复';
