import type { FormInstance } from 'antd';
import type { FieldErrors } from '#contract/envelope';

type Names = Record<string, string>;

/**
 * Shows what the server refuses on the fields at fault and scrolls to the first of them.
 * @param names fields of the form by the server's names, where they differ
 * @returns what belongs to no field of the form
 */
export function showFieldErrors(form: FormInstance, fields: FieldErrors['fields'], names: Names = {}): string[] {
  const shown = Object.keys(form.getFieldsValue() as object);
  // An item of a list is named by its place, as `blacklist.0`: the form has one field for the whole.
  const told = fields.map(({ field, message }) => {
    const own = field.split('.')[0]!;
    return { name: names[own] ?? own, errors: [message] };
  });
  const placed = told.filter(({ name }) => shown.includes(name));
  form.setFields(placed);
  if (placed[0]) form.scrollToField(placed[0].name, { block: 'center' });
  return told.filter(({ name }) => !shown.includes(name)).flatMap(({ errors }) => errors);
}
