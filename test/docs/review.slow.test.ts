import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';

import { spreadsheetCsv } from '../../src/review/sheets/spreadsheet-cells.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { notPrinted, Shell, stepsOf } from './transcript.ts';

/** The classes that the three of the page give, by how a case begins. */
const CLASSES: readonly (readonly [begins: string, Asha: string, Bela: string, Chand: string])[] = [
  ['My hands', 'vata', 'vata', 'vata'],
  ['I get heartburn', 'pitta', 'pitta', 'vata'],
  ['I sleep nine', 'kapha', 'kapha', 'kapha'],
  ['My joints', 'vata-pitta', 'vata', 'pitta'],
  ['I am warm', 'pitta-kapha', 'pitta-kapha', 'kapha'],
  ['I only want', 'unknown', 'unknown', 'unknown'],
];
const PEOPLE = ['Asha', 'Bela', 'Chand'] as const;

/** As somebody fills it in: the class, in rows that show no answer. */
function fillIn(folder: string): void {
  for (const [at, person] of PEOPLE.entries()) {
    const file = join(folder, 'sheets', person, 'outputs_for_human_review.csv');
    const [header = [], ...rows] = parse(readFileSync(file, 'utf8'), { bom: true });
    const [text, response, answer] = ['text', 'response', 'prakriti'].map((name) => header.indexOf(name));
    for (const row of rows) {
      const said = CLASSES.find(([begins]) => row[text!]!.startsWith(begins))!;
      if (row[response!] === '') row[answer!] = said[at + 1]!;
    }
    writeFileSync(file, spreadsheetCsv(header, rows));
  }
}

it('docs/review.md shows what the program prints today', () => {
  const steps = stepsOf('review.md');
  expect(steps.length).toBeGreaterThan(8);
  const shell = new Shell(temporaryFolder());
  // Ids are made with a secret: the one of the page stands for the one of this run.
  const shownId = /\bi[\w-]{15}\b/.exec(steps.map(({ shown }) => shown.join('\n')).join('\n'))![0];
  let ownId = shownId;
  for (const { command, shown } of steps) {
    const printed = shell.run(command.replaceAll(shownId, ownId));
    if (command.endsWith('adjudicate pilot')) ownId = /^i[\w-]{15}/m.exec(printed)![0];
    const said = printed.replaceAll(ownId, shownId);
    expect(notPrinted(shown, said), `${command}\n\n${printed}`).toBe('');
    if (command.includes('review export')) fillIn(shell.folder);
  }
});

it('the form of docs/review.md is one', async () => {
  const page = readFileSync(join(ROOT, 'docs/review.md'), 'utf8');
  const [, yaml] = /^```yaml\n([\s\S]*?)^```$/m.exec(page)!;
  const file = join(temporaryFolder(), 'letters.yaml');
  writeFileSync(file, yaml!);
  const { review } = await planRecipe(file);
  expect(Object.entries(review!.fields).map(([name, { type }]) => [name, type])).toEqual([
    ['spans', 'items'],
    ['risk', 'scale'],
    ['comment', 'text'],
  ]);
});
