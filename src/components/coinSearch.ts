export interface CoinOption {
  value: string;
  base: string;
  names: readonly string[];
}

/** By a part of the symbol, or the beginning of a Chinese name or its pinyin; one letter begins too many of these. */
const isFound = (typed: string, { value, names }: CoinOption): boolean =>
  value.toLowerCase().includes(typed) || (!/^\w?$/.test(typed) && names.some((name) => name.startsWith(typed)));

/** The coin that was typed comes before those whose names only contain it: ETH before ETHFI and STETH. */
function byName(a: CoinOption, b: CoinOption, typed: string): number {
  const rank = ({ value, base, names }: CoinOption) =>
    [value, base, ...names.map((name) => name.toUpperCase())].includes(typed) ? 0 : value.startsWith(typed) ? 1 : 2;
  return rank(a) - rank(b);
}

/** How a select of coins finds what is typed. */
export const COIN_SEARCH = {
  filterOption: (typed: string, option?: CoinOption) =>
    option !== undefined && isFound(typed.trim().toLowerCase(), option),
  filterSort: (a: CoinOption, b: CoinOption, { searchValue }: { searchValue: string }) =>
    byName(a, b, searchValue.trim().toUpperCase()),
};
