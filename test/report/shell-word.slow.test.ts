import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { caseOption, shellWord } from '../../src/report/shell-word.ts';

describe('shellWord', () => {
  it('leaves a plain path alone', () => expect(shellWord('runs/pii-2.1/a@b')).toBe('runs/pii-2.1/a@b'));

  it.each([
    'two words',
    "it's",
    '$(touch /tmp/x)',
    'a\nb',
    '`id`',
    'tab\t\u001b[2J',
    'back\\slash\u0007',
    'a\u202eb',
    'zero\u200bwidth',
    'tag\u{e0041}s',
  ])('comes back from a shell as it was: %j', (text) => {
    const { stdout } = spawnSync('bash', ['-c', `printf %s ${shellWord(text)}`], {
      encoding: 'utf8',
      // Elsewhere bash cannot write what is beyond ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect(stdout).toBe(text);
  });
});

describe('caseOption', () => {
  it('ties an id that looks like an option to its own', () => {
    expect(caseOption('D01')).toBe('--case D01');
    expect(caseOption('-x')).toBe('--case=-x');
  });
});
