import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { gridPolicies } from '../../../src/stream/calibrate/policies.ts';
import { readGrid } from '../../../src/stream/calibrate/sweep-grid.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

function gridFile(text: string): string {
  const file = join(temporaryFolder(), 'grid.yaml');
  writeFileSync(file, text);
  return file;
}

describe('the grid of a sweep', () => {
  test('has 625 policies unless told otherwise, numbered with the last parameter changing first', async () => {
    const { grid, unused } = await readGrid(null);
    const { tried, invalid } = gridPolicies(grid);
    expect([tried.length, invalid.length, unused.length]).toEqual([625, 0, 0]);
    expect(tried[0]).toMatchObject({ minWords: 30, maxWords: 80, silenceMs: 1000, maxWaitMs: 4000 });
    expect(tried[1]).toMatchObject({ id: 'policy_0001', maxWaitMs: 5000 });
    // 3 · 125 + 1 · 25: the numbering of the seed, whose published choice this is.
    expect(tried[400]).toMatchObject({
      id: 'policy_0400',
      minWords: 60,
      maxWords: 100,
      silenceMs: 1000,
      maxWaitMs: 4000,
      maxWait: 'every-buffer',
    });
  });

  test('leaves out what makes no sense, names the rule, and keeps the numbers of the others', async () => {
    const { grid } = await readGrid(null, [
      'parameter_grid={min_words: [10, 20], max_words: [15, 20, 40], silence_timer_ms: [500], max_wait_timeout_ms: [400, 900]}',
      'validity_constraints.min_gap_between_min_max=10',
    ]);
    const { tried, invalid } = gridPolicies(grid);
    expect(tried.map(({ id, minWords, maxWords }) => [id, minWords, maxWords])).toEqual([
      ['policy_0003', 10, 20],
      ['policy_0005', 10, 40],
      ['policy_0011', 20, 40],
    ]);
    expect(invalid.map(({ policy, because }) => `${policy.id} ${because}`)).toEqual([
      'policy_0000 max_wait_gte_silence',
      'policy_0001 min_gap_between_min_max',
      'policy_0002 max_wait_gte_silence',
      'policy_0004 max_wait_gte_silence',
      'policy_0006 min_words_lt_max_words',
      'policy_0007 min_words_lt_max_words',
      'policy_0008 min_words_lt_max_words',
      'policy_0009 min_words_lt_max_words',
      'policy_0010 max_wait_gte_silence',
    ]);
  });

  test('takes settings of the call, among them the short name of the wait', async () => {
    const { grid } = await readGrid(null, ['maxWait=first-buffer-only', 'constraints.spam_pct_mean=null']);
    expect(grid.max_wait).toBe('first-buffer-only');
    expect(grid.constraints.spam_pct_mean).toBeNull();
    expect(gridPolicies(grid).tried[0]!.maxWait).toBe('first-buffer-only');
  });

  test('names sections of the file that have no effect', async () => {
    const file = gridFile('safety: { strict: true }\nspam: { alpha_default: 0.5, alpha_sensitivity: [0.5] }\n');
    const { grid, unused, name } = await readGrid(file);
    expect({ unused, name }).toEqual({ unused: ['safety', 'spam.alpha_sensitivity'], name: 'grid.yaml' });
    expect(grid.spam).toEqual({ alpha_default: 0.5, exclude_end_of_trace: true });
  });

  test.each([
    ['constrains: { spam_pct_mean: 3 }\n', /grid\.yaml:1: constrains: there is no setting called constrains/],
    ['parameter_grid: { min_words: [3, 3] }\n', /parameter_grid\.min_words: a value is there twice/],
    ['parameter_grid:\n  min_words: []\n', /grid\.yaml:2/],
    ['selection: { objectives: [speed] }\n', /expected one of flush_count_mean/],
    ['spam: { exclude_end_of_trace: false }\n', /expected true, found false/],
    ['- a\n', /expected a mapping/],
  ])('refuses %j', async (text, message) => {
    await expect(readGrid(gridFile(text))).rejects.toThrow(message);
  });

  test('refuses a slip in a setting of the call, and says which', async () => {
    await expect(readGrid(null, ['constraints.spam=3'])).rejects.toThrow(
      /--set constraints\.spam=3: there is no setting called spam/,
    );
  });

  test('refuses more policies than anyone can mean', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => at + 1).join(',');
    const { grid } = await readGrid(null, [`parameter_grid.silence_timer_ms=[${many}]`]);
    expect(() => gridPolicies(grid)).toThrow(/125000 policies; the most is 20000/);
  });
});
