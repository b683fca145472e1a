import path from 'node:path';
import { leanContract } from '../../bundle/leanContract';
import { projectFiles, ROOT } from '../support/projectFiles';

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
