import { containsName } from '#contract/session';
import { refused } from '../../base/http/refusal';
import { isCommonPassword } from './commonPassword';

/** Refuses a password that is easily guessed; `field` is the form's field of it. @throws passwordIsName, commonPassword */
export async function checkPassword(username: string, password: string, field = 'password'): Promise<void> {
  if (containsName(password, username)) throw refused('passwordIsName', '', field);
  if (await isCommonPassword(password)) throw refused('commonPassword', '', field);
}
