import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from '../cli/assay-here.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const food = (quote: string, domain = 'food'): object => ({
  domain,
  evidence_span: quote,
  polarity: 'present',
  intensity_bucket: 'unknown',
  time_bucket: 'today',
});

/** What a journal extractor writes: of five items that the model gave it let one through. */
const OUTPUT = {
  items: [food('green tea')],
  rejected: [
    { item: food('black coffee'), because: 'the quote is not in the text' },
    { item: food('Green  tea'), because: 'the quote is in the text but for white space' },
    { item: food('green tea', 'drink'), because: 'domain is "drink", expected one of symptom, food, emotion, mind' },
    { item: 'tea', because: 'it is no object' },
  ],
  changed: [],
};

async function scored(output: unknown): Promise<{ folder: string; stdout: string }> {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'gold.jsonl'),
    `${JSON.stringify({ journal_id: 'J1', text: 'I had green tea.', items: [food('green tea')] })}\n`,
  );
  writeFileSync(join(cwd, 'outputs.jsonl'), `${JSON.stringify({ id: 'J1', output })}\n`);
  const files = ['--gold', 'gold.jsonl', '--predictions', 'outputs.jsonl', '--out', 'run', '--set', 'interval=off'];
  const { code, stdout, stderr } = await assayHere(['score', 'journal/ashwam', ...files], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  return { folder: join(cwd, 'run'), stdout };
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

describe('what an extractor took out itself', () => {
  it('counts in evidence_coverage and in no other measure', async () => {
    const { folder } = await scored(OUTPUT);
    const { measures } = JSON.parse(read(folder, 'measures.json')) as {
      measures: { name: string; slice: object; value: number; n: number }[];
    };
    const value = (name: string): unknown => {
      const own = measures.find((one) => one.name === name && Object.keys(one.slice).length === 0);
      return [own?.value, own?.n];
    };
    // Five quotes: "green tea" twice is in the text; black coffee, Green  tea and no quote at all are not.
    expect(value('evidence_coverage')).toEqual([2 / 5, 5]);
    expect(value('precision')).toEqual([1, 1]);
    expect(value('recall')).toEqual([1, 1]);
  });

  it('is told in the terminal, the ledger, the report and the audit', async () => {
    const { folder, stdout } = await scored(OUTPUT);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('4 predictions taken out by the system itself before it answered');
    expect(stdout).toMatch(/excused +4 +(?:object )?rejected-by-system 4/);
    expect(read(folder, 'ledger.jsonl')).toContain('"because":"it is no object"');
    expect(read(folder, 'report.md')).toContain('4 predictions taken out by the system itself before it answered');
    expect(read(folder, 'audit.json')).toContain(
      '4 of 5 predictions (80 %) were taken out by the system itself, before it answered',
    );
  });

  it('changes the signature, and a field of that name with other things in it is left alone', async () => {
    const signature = async (rejected: unknown): Promise<string> =>
      (JSON.parse(read((await scored({ ...OUTPUT, rejected })).folder, 'measures.json')) as { signature: string })
        .signature;
    const plain = await signature([]);
    expect(await signature(OUTPUT.rejected)).not.toBe(plain);
    expect(await signature('two of them')).toBe(plain);
    expect(await signature([{ id: 7 }, null])).toBe(plain);
  });
});
