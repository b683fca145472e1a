import { csvOf } from '@/table/csv';
import { asWritten, ungrouped } from '@/table/written';

const cellOf = (value: string) =>
  csvOf([], [[value]])
    .slice(1)
    .split('\r\n')[1];

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  ' =1+1',
  '  -1',
  '\u3000=1+1',
  '\u00a0@x',
  '\u200b=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  ' ＝1',
  '\ttext',
])('%j runs as no formula', (text) => expect(cellOf(text)).toBe(`'${text}`));

test.each(['\n=1', '\r=1', '\r\n=1', '=1,2'])('%j neither, in quotes', (text) => {
  expect(csvOf([], [[text]])).toContain(`"'${text}"`);
});

test.each(['a=1', ' text', 'BTC-USDT', '—', ''])('%j stands as it is', (text) => expect(cellOf(text)).toBe(text));

test('a number has the digits that the screen shows of it, zeros at the end too', () => {
  const line = csvOf(
    [],
    [[asWritten(-0.026, 2, true), asWritten(1279.9, 2), asWritten(null, 2), ungrouped('+1,250.00')]],
  );
  expect(line).toContain('-2.60,1279.90,,+1250.00');
});
