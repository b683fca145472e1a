import { hashPassword, verifyPassword } from '../../../server/people/auth/password';

describe('password hashes', () => {
  test('are argon2id at the recommended cost, each with its own salt', async () => {
    const [first, second] = await Promise.all([hashPassword('one password'), hashPassword('one password')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });

  test('know their password, however the keyboard composed it', async () => {
    const hash = await hashPassword('pass-\u00e9-word');
    expect(await verifyPassword(hash, 'pass-e\u0301-word')).toBe(true);
    expect(await verifyPassword(hash, 'pass-e-word')).toBe(false);
  });

  test('of nobody fit nothing', async () => {
    expect(await verifyPassword(null, '')).toBe(false);
    expect(await verifyPassword(null, 'A'.repeat(43))).toBe(false);
  });

  test('are refused beyond the queue, and the queue drains', async () => {
    const results = await Promise.allSettled(Array.from({ length: 70 }, () => verifyPassword(null, 'x')));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    expect(await verifyPassword(null, 'x')).toBe(false);
  });
});
