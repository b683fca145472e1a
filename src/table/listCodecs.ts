import { type QueryCodec, textCodec } from '@/components/useQueryState';

export const PAGE_SIZES = [20, 50, 100, 200];

const wholeCodec = (fallback: number, allowed: (value: number) => boolean): QueryCodec<number> => ({
  read: (text) => {
    const value = Number(text);
    return text !== null && Number.isInteger(value) && allowed(value) ? value : fallback;
  },
  write: (value) => (value === fallback ? null : String(value)),
});

/** Rows a page in the URL. */
export const pageSizeCodec = (usual: number) => wholeCodec(usual, (size) => PAGE_SIZES.includes(size));

/** Page, rows a page and order of a list in the URL; `sort` is `field` or `-field`, empty for the list's own order. */
export const listCodecs = {
  current: wholeCodec(1, (page) => page >= 1 && page <= 1_000_000),
  pageSize: pageSizeCodec(50),
  sort: textCodec(),
};
