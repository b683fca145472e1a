import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Form, Input } from 'antd';
import { Array as Arr, Integer, Number as Num, Object as Obj, Optional, String as Str, type TObject } from 'typebox';
import { Kept } from '#contract/decimal';
import { Maybe } from '#contract/value';
import { rulesOf } from '@/form/rulesOf';

const Hedge = Obj({
  name: Str({ title: '名称', minLength: 2, maxLength: 4, pattern: '^[a-z😀]+$', description: '只用小写字母' }),
  size: Num({ title: '单笔名义', exclusiveMinimum: 0, maximum: 1000 }),
  hours: Optional(Integer({ title: '最长持有', minimum: 1 })),
  loss: Maybe(Num({ title: '止损', maximum: 90 })),
  price: Maybe(Num({ title: '触发价', minimum: 0.00000001, maximum: 10_000_000 })),
  money: Kept({ title: '名义', minimum: 0, maximum: 1000 }),
  coins: Arr(Str(), { title: '黑名单' }),
});

/** What a form says of a value in one field of a schema; '' when it has no objection. */
async function objection(schema: TObject, field: string, value: string): Promise<string> {
  const rules = rulesOf(schema) as Record<string, object[]>;
  const decided = jest.fn();
  const view = render(
    <Form onFinish={() => decided('fine')} onFinishFailed={() => decided('refused')}>
      <Form.Item name={field} rules={rules[field]}>
        <Input aria-label="field" />
      </Form.Item>
      <button type="submit">submit</button>
    </Form>,
  );
  fireEvent.change(screen.getByLabelText('field'), { target: { value } });
  fireEvent.click(screen.getByText('submit'));
  await waitFor(() => expect(decided).toHaveBeenCalledTimes(1));
  const shown = () => view.container.querySelector('.ant-form-item-explain-error');
  // What was refused says so a moment later.
  if (decided.mock.calls[0][0] === 'refused') await waitFor(() => expect(shown()).not.toBeNull());
  const said = shown()?.textContent ?? '';
  view.unmount();
  return said;
}

test.each([
  ['name', '', '请输入名称'],
  ['name', 'a', '名称至少 2 个字符'],
  ['name', 'abcde', '名称最多 4 个字符'],
  ['name', 'ABC', '只用小写字母'],
  ['name', '😀😀😀😀', ''],
  ['name', 'abc', ''],
  ['size', '', '请输入单笔名义'],
  ['size', 'x', '单笔名义必须是数字'],
  ['size', '0', '单笔名义必须大于 0'],
  ['size', '1001', '单笔名义不能大于 1,000'],
  ['size', '0.5', ''],
  ['hours', '', ''],
  ['hours', '1.5', '最长持有必须是整数'],
  ['hours', '0', '最长持有不能小于 1'],
  ['hours', '24', ''],
  ['price', '0', '触发价不能小于 0.00000001'],
  ['price', '10000001', '触发价不能大于 10,000,000'],
  ['money', '100.12345678', ''],
  ['money', '0.00000001', ''],
  ['money', '100.123456789', '名义最多 8 位小数'],
  ['money', '0.000000001', '名义最多 8 位小数'],
  ['loss', '', ''],
  ['coins', '', ''],
  ['loss', '91', '止损不能大于 90'],
])('%s = %j: %s', async (field, value, text) => {
  expect(await objection(Hedge, field, value)).toBe(text);
});
