import { user } from '#contract/user';
import { testApp } from '../support/app';

let server: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const NOTHING = { rise: null, numbers: null, mutedKinds: [] };

describe('the preferences of a user', () => {
  test('are one’s own, change only where something is given, and come with the account', async () => {
    const trader = server.as('trader');
    expect((await trader(user.preference)).body.data).toEqual(NOTHING);
    await trader(user.setPreference, { body: { rise: 'red' } });
    await trader(user.setPreference, { body: { numbers: 'compact', mutedKinds: ['fill', 'funding'] } });
    const kept = { rise: 'red', numbers: 'compact', mutedKinds: ['fill', 'funding'] };
    expect((await trader(user.setPreference, { body: {} })).body.data).toEqual(kept);
    expect((await trader(user.current)).body.data.preference).toEqual(kept);
    expect((await server.as('editor')(user.preference)).body.data).toEqual(NOTHING);
    expect((await server.as('visitor')(user.preference)).status).toBe(401);
  });

  test.each([
    ['an unknown colour habit', { rise: 'blue' }, 'rise'],
    ['an unknown way of writing amounts', { numbers: 'roman' }, 'numbers'],
    ['a kind that is no word', { mutedKinds: ['<b>'] }, 'mutedKinds.0'],
    ['a kind twice', { mutedKinds: ['fill', 'fill'] }, 'mutedKinds'],
  ])('refuse %s at its field', async (_, body, field) => {
    const { status, body: answer } = await server.as('trader')(user.setPreference, { body });
    expect(status).toBe(400);
    expect(answer.data).toMatchObject({ fields: [{ field }] });
  });
});
