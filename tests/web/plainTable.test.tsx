import { render, screen, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { type Column, drawnFrom } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { onPhone } from '../support/phone';

interface Row {
  id: number;
}

const COLUMNS: Column<Row>[] = [{ key: 'id', title: '编号', width: 80, render: ({ id }) => `第 ${id} 行` }];
const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
const drawn = () => screen.getAllByText(/^第 \d+ 行$/).length;

test('a table is paged; of a thousand rows on a page only those in sight are drawn', async () => {
  const rows = Array.from({ length: 1_500 }, (_, id) => ({ id }));
  render(<PlainTable label="很多行" rowKey="id" columns={COLUMNS} rows={rows} />);
  expect(drawn()).toBe(20);
  const sizes = within(document.querySelector<HTMLElement>('.ant-pagination')!).getByRole('combobox');
  await user.click(sizes);
  await user.click(await screen.findByTitle(/^1000/));
  expect(screen.getByText('第 0 行')).toBeInTheDocument();
  expect(drawn()).toBeLessThan(200);
  expect(screen.queryByText('第 999 行')).not.toBeInTheDocument();
});

describe('columns beside a pinned one', () => {
  const column = (key: string, more: Partial<Column<Row>> = {}): Column<Row> => ({
    ...{ key, title: key, width: 100, render: () => key },
    ...more,
  });
  const PINNED = [column('a'), column('b'), column('c'), column('d', { fixed: 'right' })];
  const widthsIn = (room: number) => {
    jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room);
    render(<PlainTable label="表" rowKey="id" columns={PINNED} rows={[{ id: 1 }]} />);
    return [...document.querySelectorAll('col')].map(({ style }) => style.width);
  };
  afterEach(() => jest.restoreAllMocks());

  test('are none of them cut: the last one that has room takes what is left', () => {
    // 100 of 350 are pinned: the third of the others would begin at 200 and end at 300.
    expect(widthsIn(350)).toEqual(['100px', '150px', '100px', '100px']);
  });

  test('are as wide as they are told where all of them have room', () => {
    expect(widthsIn(400)).toEqual(['100px', '100px', '100px', '100px']);
  });
});

test('a cell that is drawn from a part of its row is drawn again with that part alone, and acts on the row as it is by then', async () => {
  interface Priced extends Row {
    name: string;
    price: number;
  }
  const draws = jest.fn();
  const acted = jest.fn();
  const columns: Column<Priced>[] = [
    { key: 'price', title: '价格', width: 80, render: ({ price }) => `价 ${price}` },
    {
      ...{ key: 'name', title: '名称', width: 80 },
      render: drawnFrom(
        ({ name }) => name,
        (name, now) => {
          draws(name);
          return (
            <button type="button" onClick={() => acted(now().price)}>
              {name}
            </button>
          );
        },
      ),
    },
  ];
  const table = (...rows: Priced[]) => <PlainTable label="表" rowKey="id" columns={columns} rows={rows} />;
  const { rerender } = render(table({ id: 1, name: '甲', price: 1 }));
  await screen.findByText('价 1');
  draws.mockClear();
  rerender(table({ id: 1, name: '甲', price: 2 }));
  expect(await screen.findByText('价 2')).toBeVisible();
  expect(draws).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: '甲' }));
  expect(acted).toHaveBeenCalledWith(2);
  rerender(table({ id: 1, name: '乙', price: 2 }));
  expect(await screen.findByRole('button', { name: '乙' })).toBeVisible();
});

test('on a phone rows are cards also where their key is worked out', () => {
  onPhone();
  const card = ({ id }: Row) => <article>第 {id} 行</article>;
  const keyOf = ({ id }: Row) => `row ${id}`;
  render(
    <PlainTable
      label="卡片"
      rowKey={keyOf}
      columns={COLUMNS}
      rows={[{ id: 1 }, { id: 2 }]}
      card={card}
      marked="row 2"
    />,
  );
  expect(drawn()).toBe(2);
  expect(screen.getByText('第 2 行').parentElement).toHaveAttribute('aria-current', 'true');
});
