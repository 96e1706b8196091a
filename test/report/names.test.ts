import { expect, it, test } from 'vitest';

import { kindName } from '../../src/report/kind-name.ts';
import { programName } from '../../src/report/program-name.ts';

it('names what you type: the installed command, npx if a project has it, or the script of a checkout', () => {
  expect(programName('/usr/local/bin/assay', '/home/ann')).toBe('assay');
  expect(programName('/home/ann/assay/bin/assay.js', '/home/ann/assay')).toBe('node bin/assay.js');
  expect(programName('/home/ann/my assay/bin/assay.js', '/home/ann')).toBe("node 'my assay/bin/assay.js'");
  expect(programName('/home/ann/town/node_modules/.bin/assay', '/home/ann/town')).toBe('npx assay');
  expect(programName('C:\\town\\node_modules\\assay\\bin\\assay.js', 'C:\\town')).toBe('npx assay');
  expect(programName(undefined, '/home/ann')).toBe('assay');
});

test('several items of a kind go by a word of the language', () => {
  expect(['span', 'object', 'entity', 'class', 'summary', 'constructor'].map(kindName)).toEqual([
    'spans',
    'objects',
    'entities',
    'classes',
    'summaries',
    'constructors',
  ]);
});
