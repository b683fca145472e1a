import { UNUSED_PARTS } from '../../antdStyles';
import { projectFiles, textOf } from '../support/projectFiles';

/** Parts of antd that are imported, by the class of each: InputNumber is input-number, QRCode is qrcode. */
const imported = new Set(
  projectFiles()
    .filter((file) => /^src\/.*\.tsx?$/.test(file))
    .flatMap((file) => [...textOf(file).matchAll(/import (?:type )?\{([^}]+)\} from 'antd'/g)])
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.replace(/^\s*type\s+/, '').trim())
    .map((name) => name.replace(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase()),
);

test('the style sheet keeps every part of antd that a screen imports', () => {
  expect([...imported]).toEqual(expect.arrayContaining(['table', 'input-number', 'date-picker']));
  expect([...imported].filter((part) => UNUSED_PARTS.includes(part))).toEqual([]);
});
