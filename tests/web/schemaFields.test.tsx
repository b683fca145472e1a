import { ProForm } from '@ant-design/pro-components';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { SchemaFields } from '@/form/SchemaFields';
import { form as cexRate } from '@/pages/strategy/cexRate/form';
import { form as fundingRate } from '@/pages/strategy/fundingRate/form';
import { form as grid } from '@/pages/strategy/grid/form';
import { settingsForm as hedge } from '@/pages/strategy/hedge/settings/settingsForm';
import { form as okx } from '@/pages/strategy/okx/form';
import { form as spread } from '@/pages/strategy/spread/form';

/** Beside the name that a strategy has. */
const NAMED = 4;
const FORMS = { spread, fundingRate, cexRate, okx, grid, hedge };

test.each(Object.entries(FORMS))(
  'the form of kind %s asks for five things at most, the size among them',
  (kind, of) => {
    const { first = [] } = of.view;
    expect(first.length).toBeLessThanOrEqual(kind === 'hedge' ? NAMED + 1 : NAMED);
    expect(first).toContain('legNotional');
    expect(of.label('legNotional' as never)).toBe(kind === 'grid' ? '总名义' : '每腿名义');
  },
);

test('what is beyond them is folded, and unfolds by itself when something in it is refused', async () => {
  render(
    <ProForm initialValues={cexRate.toForm(DEFAULT_CEX_RATE)} submitter={false}>
      <SchemaFields form={cexRate} />
      <button type="submit">保存</button>
    </ProForm>,
  );
  const folded = screen.getByText(/^高级（\d+ 项）$/).closest('details') as HTMLDetailsElement;
  expect(folded).not.toHaveAttribute('open');
  expect(folded).not.toContainElement(screen.getByLabelText('每腿名义'));
  const leverage = screen.getByLabelText(cexRate.label('leverage'));
  expect(folded).toContainElement(leverage);
  fireEvent.change(leverage, { target: { value: '900' } });
  fireEvent.blur(leverage);
  fireEvent.click(screen.getByText('保存'));
  await waitFor(() => expect(folded).toHaveAttribute('open'));
  // Folded over what is refused it would say nothing of why it is not saved.
  folded.open = false;
  fireEvent(folded, new Event('toggle'));
  fireEvent.click(screen.getByText('保存'));
  await waitFor(() => expect(folded).toHaveAttribute('open'));
});

test.each([
  [1440, '60.0 天'],
  [36, '36.0 小时'],
  // Days would say the same of this and of the next hour.
  [1441, '1,441 小时'],
  [0, '0 小时'],
  [null, '不启用'],
])('a longest hold of %s hours is told as %s', (maxHoldingHours, text) => {
  expect(cexRate.text({ ...DEFAULT_CEX_RATE, maxHoldingHours }, 'maxHoldingHours')).toBe(text);
});
