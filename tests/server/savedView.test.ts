import { savedView as api, MOST_VIEWS } from '#contract/savedView';
import { fileApp, type Who } from '../support/app';

const server = await fileApp();

const SCREEN = '/strategy/fundingRate';
const save = (who: Who, name: string, query = 'minApr=0.1', screen = SCREEN) =>
  server.as(who)(api.save, { body: { screen, name, query } });
const namesOf = async (who: Who, screen = SCREEN) =>
  (await server.as(who)(api.list, { query: { screen } })).body.data.list.map(({ name }) => name);

test('a view is kept for its owner and screen; the same name again replaces it', async () => {
  await save('trader', ' 高年化 ');
  await save('trader', '浅深度', 'minDepth=1');
  await save('trader', '高年化', 'minApr=0.2&source=simulated');
  await save('trader', '别处', '', '/strategy/hedge');
  const { body } = await server.as('trader')(api.list, { query: { screen: SCREEN } });
  expect(body.data.list.map(({ name, query }) => [name, query]).sort()).toEqual([
    ['浅深度', 'minDepth=1'],
    ['高年化', 'minApr=0.2&source=simulated'],
  ]);
  expect(await namesOf('editor')).toEqual([]);
});

test('another user cannot take it away, its owner can', async () => {
  const { body } = await save('trader', '会删');
  const { id } = body.data;
  expect((await server.as('editor')(api.remove, { body: { id } })).status).toBe(404);
  expect((await server.as('master')(api.remove, { body: { id: 'no-id' } })).status).toBe(404);
  expect(await namesOf('trader')).toContain('会删');
  expect((await server.as('trader')(api.remove, { body: { id } })).status).toBe(200);
  expect(await namesOf('trader')).not.toContain('会删');
});

test.each([
  ['a name of blanks', { name: '  ' }, 'name'],
  ['a query that is none', { query: 'a b<script>' }, 'query'],
  ['a screen that is another site', { screen: '//evil.example' }, 'screen'],
])('%s is refused at its field', async (_what, wrong, field) => {
  const body = { screen: SCREEN, name: '名', query: '', ...wrong };
  const answer = await server.as('trader')(api.save, { body });
  expect(answer.status).toBe(400);
  expect(answer.body.data).toMatchObject({ fields: [{ field }] });
});

test('a screen holds so many and no more, and a full one can still be changed', async () => {
  for (let i = 0; i < MOST_VIEWS; i += 1) await save('editor', `视图 ${i}`);
  expect((await save('editor', '多一个')).body.code).toBe(8011);
  expect((await save('editor', '视图 3', 'x=1')).body.code).toBe(200);
  expect(await namesOf('editor')).toHaveLength(MOST_VIEWS);
});
