import { REFUSALS } from '#contract/codes';
import type { Registration } from '#contract/session';
import type { CallError } from '@/services/CallError';

type Field = keyof Registration;

/** Refusals of the server that are about one field. */
const FIELD_OF_CODE: Record<number, Field> = {
  [REFUSALS.nameTaken.code]: 'username',
  [REFUSALS.commonPassword.code]: 'password',
  [REFUSALS.passwordIsName.code]: 'password',
};

/** Where in the form a failure belongs: the fields that a 400 names, or the one that a refusal is about. */
export function fieldsOfRefusal({ code, message, fields }: CallError): { name: Field; errors: string[] }[] {
  if (fields.length > 0) return fields.map((each) => ({ name: each.field as Field, errors: [each.message] }));
  const name = FIELD_OF_CODE[Number(code)];
  return name === undefined ? [] : [{ name, errors: [message] }];
}
