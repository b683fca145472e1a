import { readdirSync } from 'node:fs';
import path from 'node:path';

/** A module that stands in for others, and which ones it must have replaced. */
export interface Part {
  /** Absolute path or name of the module that comes instead. */
  to: string;
  /** Absolute paths, without their ending, or names of the modules that go. */
  from: readonly string[];
}

/** The parts of pro-components that no screen uses: most of its bytes are fields of every kind and words of every language. */
export function proParts(root: string): Part[] {
  const pro = path.join(root, 'node_modules/@ant-design/pro-components/es');
  const ours = (name: string) => path.join(root, 'bundle', name);
  const foreign = readdirSync(path.join(pro, 'provider/locale'))
    .filter((file) => file.endsWith('.js') && file !== 'zh_CN.js')
    .map((file) => path.join(pro, 'provider/locale', path.parse(file).name));
  return [
    { to: ours('valueTypes.ts'), from: [path.join(pro, 'field/ValueTypeToComponent')] },
    { to: ours('lateColumnSetting.tsx'), from: [path.join(pro, 'table/components/ColumnSetting')] },
    { to: ours('noSearch.ts'), from: [path.join(pro, 'table/TableSearch')] },
    { to: ours('noWords.ts'), from: foreign },
    { to: 'antd/es/locale/zh_CN', from: ['antd/lib/locale/zh_CN'] },
  ];
}

/** What a build has not replaced although it should have, in sentences; an upgrade that moves a file ends up here. */
export const faultsOf = (parts: readonly Part[], replaced: ReadonlySet<string>): string[] =>
  parts.flatMap(({ to, from }) => from.filter((one) => !replaced.has(one)).map((one) => `${to} replaces no ${one}`));

interface Asked {
  context: string;
  request: string;
}

interface Module {
  resource?: string;
}

interface Compilation {
  moduleGraph: {
    getOutgoingConnections(module: Module): Iterable<{ dependency: { request?: string } | null }>;
  };
  errors: Error[];
  hooks: { finishModules: { tap(name: string, done: (modules: Iterable<Module>) => void): void } };
}

interface Compiler {
  context: string;
  hooks: {
    thisCompilation: {
      tap(
        name: string,
        each: (
          compilation: Compilation,
          given: {
            normalModuleFactory: {
              hooks: { beforeResolve: { tap(name: string, each: (asked: Asked) => void): void } };
            };
          },
        ) => void,
      ): void;
    };
  };
}

const NAME = 'ProParts';
const nameOf = (context: string, request: string) => (request.startsWith('.') ? path.join(context, request) : request);

/** Webpack: puts our modules in the place of the parts, and fails a build in which one of them was not found. */
export class ProParts {
  apply(compiler: Compiler): void {
    const parts = proParts(compiler.context);
    const replacement = new Map(parts.flatMap(({ to, from }) => from.map((one) => [one, to] as const)));
    compiler.hooks.thisCompilation.tap(NAME, (compilation, { normalModuleFactory }) => {
      // Before the loaders are chosen: what comes instead may be TypeScript.
      normalModuleFactory.hooks.beforeResolve.tap(NAME, (asked) => {
        const to = replacement.get(nameOf(asked.context, asked.request));
        // What comes instead may load the original later.
        if (to !== undefined && asked.context !== path.dirname(to)) asked.request = to;
      });
      compilation.hooks.finishModules.tap(NAME, (modules) => {
        // Told by the finished graph, since a module out of the cache is not resolved again.
        const replaced = new Set<string>();
        for (const module of modules) {
          if (module.resource === undefined) continue;
          for (const { dependency } of compilation.moduleGraph.getOutgoingConnections(module)) {
            if (dependency?.request) replaced.add(nameOf(path.dirname(module.resource), dependency.request));
          }
        }
        compilation.errors.push(...faultsOf(parts, replaced).map((fault) => new Error(fault)));
      });
    });
  }
}
