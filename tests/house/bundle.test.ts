import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/projectFiles';

// Webpack says nothing when a replacement finds no module: an upgrade that moves the file would only be slower.
test('the hash that the build replaces is still asked for by that name', () => {
  const user = 'node_modules/@umijs/route-utils/es/transformRoute/transformRoute.js';
  expect(readFileSync(path.join(ROOT, user), 'utf8')).toContain("import sha265 from '../sha265';");
});
