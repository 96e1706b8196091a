import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { badPath, KINDS } from './bad-paths.ts';
import { example, temporaryFolder } from './run-assay.ts';

/** Every command and flag is tried in file-system.slow.test.ts. */
describe('a path that the system refuses: exit code 2', () => {
  it.each([
    ['init', 'pii', '@'],
    ['demo', '--out', '@'],
    ['score', '@', '--cases', example('pii/docs.json')],
    ['score', 'pii/strict', '--cases', '@'],
    ['score', 'pii/strict', '--cases', example('pii/docs.json'), '--out', '@'],
    ['run', '@', '--dry-run'],
    ['report', '@'],
    ['gate', '@'],
    ['stream', 'freeze', '@'],
    ['dataset', 'import', 'd', '@', '--data', 'store'],
  ])('%j', async (...args) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'gate.yaml'), 'rules: [{ measure: f1, atLeast: 0.1 }]\n');
    for (const kind of KINDS.filter((one) => one !== 'EISDIR')) {
      const path = badPath(folder, kind);
      const call = args.map((word) => (word === '@' ? path : word));
      const { code, stderr } = await assayHere(call, { cwd: folder });
      expect(code, `${kind}: ${stderr}`).toBe(2);
      expect(stderr, kind).not.toContain('a bug of ours');
    }
  });
});
