import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS from 'openapi-typescript';
import type { TObject } from 'typebox';
import { accessOf, RIGHTS } from '#contract/access';
import { venueName } from '#contract/candle';
import * as REFUSALS from '#contract/codes';
import type { Endpoint } from '#contract/endpoint';
import { endpoints } from '#contract/index';
import { SCREENS } from '#contract/screen';
import { PARAMS } from '#contract/strategy';
import { user } from '#contract/user';
import { createMarkets } from '../../server/market/markets';
import { routes } from '../../src/routes';
import { fileApp, START } from '../support/app';
import { ROOT } from '../support/projectFiles';
import { temporaryFolder } from '../support/temporaryFolder';
import { fileDatabase } from '../support/testDatabase';

interface Shape {
  required: string[];
  properties: object;
}

/** What of a schema a reader is to choose from. */
interface Choosing {
  enum?: (string | null)[];
  properties?: Record<string, Choosing>;
  items?: Choosing;
  'x-labels'?: Record<string, string>;
}

interface Operation {
  'x-right': string;
  'x-code': number;
  operationId: string;
  summary: string;
  security?: unknown;
  requestBody?: unknown;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content: Record<string, { schema: Partial<Shape> & { $ref?: string } }> }>;
}

/** What somebody else could write on top of the types that the document makes. */
const CLIENT = `
import type { components, paths } from './api';

type Row = components['schemas']['EvaluateRow'];
type Answer<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;

async function call<A>(url: string, init: RequestInit): Promise<{ answer: A; headers: Headers }> {
  const response = await fetch(url, init);
  return { answer: (await response.json()) as A, headers: response.headers };
}

export async function rowsOf(url: string, username: string, password: string): Promise<Row[]> {
  const credentials: components['schemas']['Credentials'] = { username, password };
  const signedIn = await call<Answer<paths['/api/login']['post']>>(url + '/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(credentials),
  });
  const code: number = signedIn.answer.code;
  if (code !== 201) throw new Error(signedIn.answer.message);
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ');
  type Query = NonNullable<paths['/api/hedge/evaluate']['get']['parameters']['query']>;
  const query: Query = { pageSize: 5, sort: 'rank' };
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const ranking = await call<Answer<paths['/api/hedge/evaluate']['get']>>(url + '/api/hedge/evaluate?' + search, {
    headers: { cookie },
  });
  return ranking.answer.data.list;
}
`;
const TSC = '--strict --target es2022 --module esnext --moduleResolution bundler --lib es2023,dom,dom.iterable'.split(
  ' ',
);

const db = await fileDatabase();
const server = await fileApp({ db, markets: createMarkets({ db, clock: () => START }) });
const document: {
  openapi: string;
  info: { description: string };
  components: { schemas: Record<string, Shape> };
  paths: Record<string, Record<string, Operation>>;
} = (await server.app.inject('/api/openapi.json')).json();

const rows = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

describe('the contract', () => {
  test.each(rows)('%s names a right and its summary, once', (name, { right, summary }) => {
    expect(RIGHTS).toContain(right);
    expect(summary).not.toBe('');
    expect(rows.filter(([other]) => other === name)).toHaveLength(1);
  });

  test('has a label for every word that a write may choose', () => {
    const unnamed: string[] = [];
    const look = (at: string, { enum: words = [], properties = {}, items, ...rest }: Choosing) => {
      const labels = rest['x-labels'] ?? {};
      const isNamed = (word: string | null) => word === null || word in labels || venueName(word) !== word;
      unnamed.push(...words.filter((word) => !isNamed(word)).map((word) => `${at}: ${word}`));
      for (const [name, property] of Object.entries(properties)) look(`${at} ${name}`, property);
      if (items) look(at, items);
    };
    for (const { method, path, body, query, audited } of endpoints as readonly Endpoint[]) {
      if (method === 'GET' || audited === false) continue;
      // Those of preferences have theirs apart.
      if (path === user.setPreference.path) continue;
      for (const asked of [body, query]) look(`${method} ${path}`, (asked ?? {}) as Choosing);
    }
    for (const [kind, { schema }] of Object.entries(PARAMS)) look(kind, schema as unknown as Choosing);
    expect(unnamed).toEqual([]);
  });

  test('gives every refusal a code of its own, of four digits', () => {
    const codes = Object.values(REFUSALS).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(String(code)).toMatch(/^[1-9]\d{3}$/);
  });

  test('gives a role that it does not know no more than being signed in', () => {
    for (const role of ['admin', '', 'constructor', '__proto__', 'MASTER']) {
      expect(accessOf(role)).toEqual({ open: true, signedIn: true, evaluateEditable: false, isMaster: false });
    }
    expect(accessOf(undefined)).toEqual({ open: true, signedIn: false, evaluateEditable: false, isMaster: false });
  });

  test('knows the screens that the console has', () => {
    const paths = routes.flatMap((route) => [route.path, ...(route.routes ?? []).map(({ path }) => path)]);
    expect([...SCREENS].sort()).toEqual(paths.filter((path) => path !== '/*').sort());
  });
});

describe('/api/openapi.json', () => {
  test.each(rows)(
    'says of %s its right, its envelope and its refusals',
    (_name, { method, path, right, code, query, body, streams, data }) => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation).toMatchObject({ 'x-right': right, 'x-code': code });
      expect(operation?.security).toEqual(right === 'open' ? [] : [{ session: [] }]);
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['200', '429', '500']));
      if (right !== 'open') expect(operation?.responses).toHaveProperty('401');
      const { content } = operation!.responses['200']!;
      if (streams) {
        const schema = document.components.schemas.StreamEvents!;
        expect(content['text/event-stream']!.schema).toEqual({ $ref: '#/components/schemas/StreamEvents' });
        expect(Object.keys(schema.properties)).toEqual(Object.keys((data as TObject).properties));
      } else {
        const { schema } = content['application/json']!;
        const { required } = schema.$ref ? document.components.schemas.EmptyAnswer! : schema;
        expect(required).toEqual(['code', 'message', 'data']);
      }
      expect(operation?.requestBody !== undefined).toBe(body !== undefined);
      const named = (operation?.parameters ?? []).map(({ name }) => name).sort();
      expect(named).toEqual(Object.keys(query?.properties ?? {}).sort());
    },
  );

  test('lists nothing else', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(rows.map(([name]) => name).sort());
  });

  test('names every operation once, and every refusal of the catalogue', () => {
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((o) => o.operationId));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { code, message } of Object.values(REFUSALS)) {
      expect(document.info.description).toContain(`| ${code} | ${message} |`);
    }
  });

  test('is JSON Schema throughout: what may be null says so by its type', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  test('is what the recommended rules of Redocly ask for', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  test('makes a client that compiles, signs in and reads the ranking', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'api.d.ts'), await openapiTS(structuredClone(document) as never));
    writeFileSync(path.join(folder, 'client.ts'), CLIENT);
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const compile = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), ...TSC, path.join(folder, 'client.ts')];
    await promisify(execFile)(process.execPath, compile, { cwd: folder }).catch(({ stdout }) => {
      throw new Error(stdout);
    });
    const url = await server.app.listen({ port: 0 });
    const { rowsOf } = await import(pathToFileURL(path.join(folder, 'client.js')).href);
    const rows = await rowsOf(url, 'trader', 'demo-trader');
    expect(rows[0]).toMatchObject({ rank: 1, symbol: expect.stringMatching(/USDT$/) });
    expect(rows).toHaveLength(5);
  });

  test('has a page to read it that needs no inline script and no foreign host', async () => {
    const page = await server.app.inject({ url: '/api/docs', headers: { accept: 'text/html' } });
    expect(page.statusCode).toBe(200);
    const scripts = [...page.body.matchAll(/<script([^>]*)>([^<]*)</g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, text] of scripts) {
      expect(attributes).toMatch(/src="[./]/);
      expect(text?.trim()).toBe('');
    }
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  });
});

describe('the guard', () => {
  test.each(rows.filter(([, { right }]) => right !== 'open'))(
    '%s turns a visitor away before it looks at anything',
    async (_name, { method, path }) => {
      const response = await server.app.inject({ method, url: path });
      expect(response.json()).toEqual({ code: 401, message: '请先登录', data: null });
      expect(response.statusCode).toBe(401);
    },
  );

  test.each(rows.filter(([, { right }]) => right === 'evaluateEditable' || right === 'isMaster'))(
    '%s is refused to who has no right to it',
    async (_name, endpoint) => {
      const { status, body } = await server.as('trader')(endpoint);
      expect({ status, body }).toEqual({
        status: 403,
        body: { code: 403, message: '你没有权限执行此操作', data: null },
      });
    },
  );
});
