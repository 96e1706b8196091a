import { expect, it } from 'vitest';

import { programName } from '../../src/report/program-name.ts';

it('names what a person types: the installed command, or the script of a checkout', () => {
  expect(programName('/usr/local/bin/assay', '/home/ann')).toBe('assay');
  expect(programName('/home/ann/assay/bin/assay.js', '/home/ann/assay')).toBe('node bin/assay.js');
  expect(programName('/home/ann/my assay/bin/assay.js', '/home/ann')).toBe("node 'my assay/bin/assay.js'");
  expect(programName(undefined, '/home/ann')).toBe('assay');
});
