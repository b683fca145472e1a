import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '#contract/index';
import { service } from '#contract/service';
import { METRICS_PATH } from '#server/api/metrics';
import { ROOT, textOf } from '../support/projectFiles';

const of = (file: string) => textOf(`deploy/${file}`);
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);
const unique = (names: readonly string[]) => [...new Set(names)].sort();

const [environment, compose, dockerfile, nginx] = [
  'environment',
  'compose.yml',
  'Dockerfile',
  'nginx/hedge-console.conf',
].map(of) as [string, string, string, string];
const unit = of('systemd/hedge-console.service');
const backupUnit = of('systemd/hedge-console-backup.service');
/** What the README's table, which the configuration's own test holds, says that the server reads. */
const known = found(textOf('README.md'), /^\| `([A-Z][A-Z_]+)`\s+\|/gm);

describe('the environment', () => {
  const written = found(environment, /^#?([A-Z][A-Z_]+)=/gm);
  /** Only compose reads them, to make the database. */
  const ofCompose = ['OWNER_PASSWORD', 'SERVER_PASSWORD'];

  test('is of variables that the server reads', () => {
    const config = textOf('server/start/config.ts');
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter((name) => !config.includes(name))).toEqual([]);
    expect(written.filter((name) => !known.includes(name) && !ofCompose.includes(name))).toEqual([]);
    const ofServer = compose.slice(compose.indexOf('  server:'), compose.indexOf('\nvolumes:'));
    const given = found(ofServer, /^ {6}([A-Z][A-Z_]+):/gm);
    expect(given).toContain('DATABASE_OWNER_URL');
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
    const image = found(dockerfile, /^\s*(?:ENV )?([A-Z][A-Z_]+)=\S+( \\)?$/gm).filter((name) => name !== 'NODE_ENV');
    expect(image.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('names whatever compose asks for', () => {
    const asked = found(compose, /\$\{([A-Z_]+)/g).filter((name) => !['POSTGRES_IMAGE', 'RELEASE'].includes(name));
    expect(asked.filter((name) => !written.includes(name))).toEqual([]);
  });

  test('lets nobody in by the public passwords of a demo', () => {
    expect(environment).toMatch(/^DEMO=0$/m);
    expect(dockerfile).toMatch(/\bDEMO=0$/m);
    expect(compose).toMatch(/DEMO: ["']0["']/);
    // Of this machine alone: beside nginx there is no way in.
    expect(found(compose, /^ {6}- (\S+:8000)$/gm)).toEqual(['127.0.0.1:8000:8000']);
    expect(environment).toMatch(/^HOST=127\.0\.0\.1$/m);
  });
});

describe('ports, addresses and sizes', () => {
  test('are the same wherever they stand', () => {
    const port = /^PORT=(\d+)$/m.exec(environment)?.[1];
    expect(port).toBe('8000');
    expect(/server 127\.0\.0\.1:(\d+);/.exec(nginx)?.[1]).toBe(port);
    expect(/EXPOSE (\d+)/.exec(dockerfile)?.[1]).toBe(port);
    expect(/PORT=(\d+)/.exec(dockerfile)?.[1]).toBe(port);
    expect(of('prometheus/prometheus.yml')).toMatch(new RegExp(`targets: \\[["']127\\.0\\.0\\.1:${port}["']\\]`));
    const gateway = /gateway: (\S+)/.exec(compose)?.[1];
    expect(/TRUSTED_PROXY: (\S+)/.exec(compose)?.[1]).toBe(gateway);
    expect(environment).toMatch(/^TRUSTED_PROXY=127\.0\.0\.1$/m);
    const host = /^ALLOWED_HOSTS=(\S+)$/m.exec(environment)?.[1];
    expect(unique(found(nginx, /server_name (\S+);/g))).toEqual([host]);
  });

  test('every stream goes out unbuffered and uncompressed, and nothing else has a place of its own', () => {
    const blocks = [...nginx.matchAll(/location = (\S+) \{([^}]*)\}/g)].map(
      ([, place, text]) => [place, text] as const,
    );
    const streams = endpoints
      .filter((endpoint) => endpoint.streams === true)
      .map((endpoint) => endpoint.path as string);
    expect(blocks.map(([place]) => place).sort()).toEqual([...streams, METRICS_PATH].sort());
    for (const [place, text] of blocks.filter(([place]) => place !== METRICS_PATH)) {
      expect([place, text]).toEqual([place, expect.stringContaining('proxy_buffering off;')]);
      expect([place, text]).toEqual([place, expect.stringContaining('gzip off;')]);
    }
  });

  test('nginx takes as large a body as the server, and passes on what that believes', () => {
    const most = /bodyLimit: (\d+) \* 1024/.exec(textOf('server/api/app.ts'))?.[1];
    expect(/client_max_body_size (\d+)k;/.exec(nginx)?.[1]).toBe(most);
    // A list that a client began would be believed: each is written anew.
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
    expect(nginx).toContain('proxy_set_header X-Forwarded-Proto $scheme;');
    expect(nginx).toContain('proxy_set_header X-Forwarded-Host $host;');
  });
});

describe('what is run', () => {
  const programs = (text: string) => found(text, /dist\/server\/(\w+)\.js/g);

  test('is a program that the build makes', () => {
    const files = ['README.md', 'backup.sh', 'upgrade.sh', 'rollback.sh'].map(of);
    const named = unique([dockerfile, unit, backupUnit, ...files].flatMap(programs));
    expect(named).toEqual(expect.arrayContaining(['main', 'ready', 'backup', 'user']));
    const sourceOf = (name: string) => (name === 'main' ? 'server/main.ts' : `server/start/cli/${name}.ts`);
    expect(named.filter((name) => !existsSync(path.join(ROOT, sourceOf(name))))).toEqual([]);
    const scripts = JSON.parse(textOf('package.json')).scripts;
    const run = unique([...files, dockerfile].flatMap((text) => found(text, /npm run (?:--silent )?([\w-]+)/g)));
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('by the unit and in the container is ready before it counts as started', () => {
    expect(unit).toMatch(/^ExecStartPost=\/usr\/bin\/node dist\/server\/ready\.js --wait (\d+)$/m);
    const [waits, starts] = [/--wait (\d+)/, /TimeoutStartSec=(\d+)/].map((pattern) => Number(pattern.exec(unit)?.[1]));
    expect(waits).toBeLessThan(starts!);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["node", "dist\/server\/ready\.js"\]$/m);
    expect(of('README.md')).toContain(service.ready.path);
  });

  test('as a script can be run, and the units lead to it', () => {
    for (const file of ['backup.sh', 'upgrade.sh', 'rollback.sh', 'postgres/server-role.sh'])
      expect([file, statSync(path.join(ROOT, 'deploy', file)).mode & 0o111]).toEqual([file, 0o111]);
    expect(backupUnit).toContain('ExecStart=/opt/hedge-console/current/deploy/backup.sh');
    expect(of('systemd/hedge-console-backup.timer')).toMatch(/^OnCalendar=/m);
    // The folder's rights are taken by whichever unit starts: they must agree.
    const stateOf = (text: string) => found(text, /^(StateDirectory\w*=.*|User=.*|EnvironmentFile=.*)$/gm);
    expect(stateOf(backupUnit).sort()).toEqual(stateOf(unit).sort());
    expect(unit).toContain('StateDirectory=hedge-console\n');
    expect(environment).toMatch(/^DATA_DIR=\/var\/lib\/hedge-console$/m);
  });

  test('builds from files that the image is given', () => {
    const given = found(textOf('.dockerignore'), /^!(\S+)$/gm);
    expect(given.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(given).toEqual(
      expect.arrayContaining(['server', 'src', 'contract', 'public', 'bundle', 'package-lock.json']),
    );
  });
});

describe('metrics', () => {
  const rules = of('prometheus/alerts.yml');
  const board = JSON.parse(of('grafana/hedge-console.json')) as { panels: { targets: { expr: string }[] }[] };
  const exprs = [
    ...rules
      .split('\n      - alert: ')
      .slice(1)
      .map((rule) => /expr: ([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? ''),
    ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const LIBRARY = 'node_modules/prom-client/lib/metrics';
  /** Of the process that the library counts by itself. */
  const defaults = readdirSync(path.join(ROOT, LIBRARY))
    .filter((name) => name.endsWith('.js'))
    .flatMap((file) => found(textOf(`${LIBRARY}/${file}`), /'((?:nodejs|process)_\w+)'/g));

  test('that rules and board ask for are those of the server', () => {
    const own = found(textOf('server/api/metrics.ts'), /name: '(\w+)', help/g);
    const all = new Set(['up', ...own, ...defaults]);
    const asked = unique(exprs.flatMap((expr) => found(expr, /\b([a-z][a-z0-9_]+)\{/g)));
    expect(exprs.every((expr) => expr !== '')).toBe(true);
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.filter((name) => !all.has(name.replace(/_(bucket|count|sum)$/, '')) && !all.has(name))).toEqual([]);
    // Nothing that the server counts of its trade goes unwatched.
    expect(own.filter((name) => !asked.some((one) => one.startsWith(name)))).toEqual([]);
  });

  test('are asked for by labels that they have', () => {
    const source = textOf('server/api/metrics.ts');
    const labels = new Set([
      ...found(source, /labelNames: \[([^\]]+)\]/g).flatMap((list) => found(list, /'(\w+)'/g)),
      ...['job', 'instance', 'le'],
    ]);
    const asked = exprs.flatMap((expr) => [
      ...found(expr, /[{,]\s*(\w+)=~?"/g),
      ...found(expr, /\bby \(([^)]+)\)/g).flatMap((list) => list.split(/,\s*/)),
    ]);
    expect(unique(asked).filter((name) => !labels.has(name))).toEqual([]);
    expect(labels.size).toBeGreaterThan(5);
  });

  test('each rule says in Chinese what is wrong, and how bad it is', () => {
    const all = rules.split('\n      - alert: ').slice(1);
    expect(all.length).toBeGreaterThan(8);
    for (const rule of all) {
      expect(rule).toMatch(/severity: (critical|warning)/);
      expect(rule).toMatch(/summary: .*\p{Script=Han}/u);
      expect(rule).toMatch(/description: ["'].*\p{Script=Han}/u);
    }
    expect(of('prometheus/prometheus.yml')).toContain(`metrics_path: ${METRICS_PATH}`);
  });
});
