import { render, screen } from '@testing-library/react';
import { DataTable } from '@/table/DataTable';

interface Row {
  id: string;
}

const ROWS: Row[] = Array.from({ length: 25 }, (_, i) => ({ id: `row-${i + 1}` }));

test('a table of more rows than come up at once has all of them in the end', async () => {
  render(
    <DataTable<Row>
      columns={[{ key: 'id', title: '编号', width: 120, render: ({ id }) => id }]}
      rows={ROWS}
      total={ROWS.length}
      rowKey="id"
      place={{ current: 1, pageSize: 50, sort: '' }}
      onPlace={() => {}}
      loading={false}
      error={undefined}
      onRetry={() => {}}
      density="small"
      empty="没有"
    />,
  );
  expect(screen.getByText('row-1')).toBeInTheDocument();
  expect(await screen.findByText('row-25')).toBeInTheDocument();
  expect(screen.getByText('row-21')).toBeInTheDocument();
});
