import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { writeEvaluation } from '../../src/report/evaluation-files.ts';
import { madeUpEvaluation } from './evaluation-made-up.ts';
import { temporaryFolder } from './made-up-run.ts';

const NAMES = ['evaluation.json', 'evaluation_summary_report.html', 'evaluation_summary_report.md'];

describe('writeEvaluation', () => {
  it('writes three files, the same bytes wherever the runs lie, and no path', async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    for (const folder of folders) {
      const given = madeUpEvaluation();
      await writeEvaluation(join(folder, 'new'), {
        ...given,
        systems: given.systems.map((one) => ({ ...one, run: { ...one.run, folder: join(folder, one.system) } })),
        comparison: {
          ...given.comparison!,
          systems: given.comparison!.systems.map((one) => ({ ...one, folder: join(folder, one.name) })),
        },
      });
    }
    const [first, second] = folders.map((folder) =>
      NAMES.map((name) => readFileSync(join(folder, 'new', name), 'utf8')),
    );
    expect(readdirSync(join(folders[0]!, 'new')).sort()).toEqual(NAMES);
    expect(first).toEqual(second);
    expect(first!.join('\n')).not.toContain(folders[0]!);
  });

  it('has the figures for machines: measures, differences, agreement, what is missing', async () => {
    const folder = temporaryFolder();
    await writeEvaluation(folder, madeUpEvaluation());
    const json: unknown = JSON.parse(readFileSync(join(folder, 'evaluation.json'), 'utf8'));
    expect(json).toMatchObject({
      format: 1,
      recipe: { name: 'consult/mine' },
      systems: [
        { system: 'plain', signature: 'assay:0|task:consult|predicted:plain', cases: { total: 4 } },
        {
          system: 'rag',
          measures: expect.arrayContaining([expect.objectContaining({ name: 'accuracy', value: 0.5 })]),
        },
      ],
      differences: {
        systems: [{ name: 'plain' }, { name: 'rag' }],
        measures: [{ name: 'accuracy', verdict: 'better' }, {}],
      },
      agreement: [{ field: 'prakriti' }, { field: 'claims', met: true }, {}, {}, {}],
      judge: [{ model: 'model-b' }, { expired: 'the prompt has changed' }],
      missing: [{ given: 0, expected: 24 }, {}],
      withoutClass: [{ caseId: 'c3' }],
    });
  });

  it('says what is wrong where it cannot write', async () => {
    const file = join(temporaryFolder(), 'a-file');
    writeFileSync(file, '');
    await expect(writeEvaluation(file, madeUpEvaluation())).rejects.toThrow(/this is not a folder/);
  });
});
