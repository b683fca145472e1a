export type CsvCell = string | number | boolean | null | undefined;

/** A number with the digits that a screen shows of it, zeros at the end too. */
export interface WrittenNumber {
  text: string;
}

/** Excel takes a file without it for the local code page and garbles Chinese. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet runs as a formula, also past blanks and line ends, and by the signs that Chinese keyboards write. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers. What libraries take
 * for formulas leaves out full-width signs, and puts the apostrophe before numbers below zero too.
 */
function cellOf(value: CsvCell | WrittenNumber): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value.text;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file's text: UTF-8 with byte order mark, a header line, CRLF; what is missing is an empty cell. */
export function csvOf(header: readonly string[], rows: readonly (readonly (CsvCell | WrittenNumber)[])[]): string {
  return BYTE_ORDER_MARK + [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** Hands a CSV file to the browser's downloads. */
export function downloadCsv(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  // The download has read the blob by the next task at the latest.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
