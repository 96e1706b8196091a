import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { merge, scoreShard } from '../../src/index.ts';
import { assayHere } from './assay-here.ts';
import { example, ROOT, temporaryFolder } from './run-assay.ts';

const here = (args: readonly string[]) => assayHere(args, { cwd: ROOT });
const SCORE = ['score', 'pii/strict', '--cases', example('pii/docs.json'), '--set', 'interval.resamples=100'];

describe('assay score --shard and assay merge', () => {
  it('score parts, say what is next, and join them', async () => {
    const folder = temporaryFolder();
    const parts = [1, 2].map((number) => join(folder, `part ${number}`));
    for (const [at, out] of parts.entries()) {
      const { code, stdout } = await here([...SCORE, '--shard', `${at + 1}/2`, '--out', out]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Shard ${at + 1} of 2:`);
      expect(stdout).toContain(`assay merge '${out}' … --out FOLDER`);
    }
    const out = join(folder, 'run');
    const { code, stdout } = await here(['merge', ...parts, '--out', out]);
    expect({ code, isScored: stdout.includes('pii/strict: 5 cases') }).toEqual({ code: 0, isScored: true });
    const refused = await here(['explain', parts[0]!]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('is one shard of a run, not a run');
  });

  it('score a shard again into its folder', async () => {
    const out = join(temporaryFolder(), 'part');
    for (const shard of ['1/2', '2/2'])
      expect(await here([...SCORE, '--shard', shard, '--out', out, '--quiet'])).toMatchObject({ code: 0 });
  });

  it.each([
    [['--shard', '3/2', '--out', 'OUT'], 'expected NUMBER/SHARDS'],
    [['--shard', '1/2'], '--shard: a part is kept for assay merge'],
    [['--shard', '1/2', '--out', 'OUT', '--workers', '2'], '--workers: a shard is scored by one thread'],
    [['--shard', '1/2', '--out', 'OUT', '--ledger', 'zstd'], '--ledger: a part of the cases has no result'],
    [['--shard', '1/2', '--out', 'OUT', '--audit'], '--audit: a part of the cases has no result'],
  ])('refuse %s', async (flags, message) => {
    const out = join(temporaryFolder(), 'part');
    const { code, stderr } = await here([...SCORE, ...flags.map((flag) => (flag === 'OUT' ? out : flag))]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(out)).toBe(false);
  });

  it('refuse several systems', async () => {
    const predictions = ['a', 'b'].flatMap((name) => ['--predictions', `${name}=${example('pii/predictions.jsonl')}`]);
    const call = ['score', 'pii/strict', '--gold', example('pii/gold.jsonl'), ...predictions];
    const { code, stderr } = await here([...call, '--shard', '1/2', '--out', join(temporaryFolder(), 'part')]);
    expect(code).toBe(2);
    expect(stderr).toContain('scores several systems');
  });

  it('are in the library', async () => {
    const folder = temporaryFolder();
    const shards = [1, 2, 3].map((number) => join(folder, String(number)));
    const files = { gold: example('pii/gold.jsonl'), predictions: example('pii/predictions.jsonl') };
    for (const [at, out] of shards.entries())
      await scoreShard('pii/strict', files, { shard: `${at + 1}/3`, out, set: ['interval=off'], texts: 'off' });
    const run = await merge(shards, { out: join(folder, 'run') });
    expect(run.measures.cases.total).toBe(5);
    expect(existsSync(join(folder, 'run/report.html'))).toBe(false);
  });
});
