import { readFileSync } from 'node:fs';
import path from 'node:path';
import { leanContract } from '../../bundle/leanContract';
import { projectFiles, ROOT } from '../support/projectFiles';

// Webpack says nothing when a replacement finds no module: an upgrade that moves the file would only be slower.
test('the hash that the build replaces is still asked for by that name', () => {
  const user = 'node_modules/@umijs/route-utils/es/transformRoute/transformRoute.js';
  expect(readFileSync(path.join(ROOT, user), 'utf8')).toContain("import sha265 from '../sha265';");
});

test('every file of the contract is made lean for the browser, in whatever folder it is', () => {
  const isMadeLean = (filename: string): boolean => {
    let marked = false;
    const path = {
      node: { callee: {}, arguments: [] },
      parent: { type: 'VariableDeclarator' },
      getFunctionParent: () => null,
      addComment: () => {
        marked = true;
      },
    };
    leanContract().visitor.CallExpression(path, { filename });
    return marked;
  };
  const files = projectFiles().filter((file) => /^contract\/.*\.ts$/.test(file));
  expect(files.filter((file) => file.split('/').length > 2)).not.toEqual([]);
  expect(files.filter((file) => !isMadeLean(path.join(ROOT, file)))).toEqual([]);
  expect(isMadeLean(path.join(ROOT, 'src/kinds.ts'))).toBe(false);
});
