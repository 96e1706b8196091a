import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { consultations, FILES } from './review-files.ts';

const SHEET = 'outputs_for_human_review.csv';

/** A review of places without names, with its sheets written. */
async function withPlaces(...places: readonly string[]) {
  const own = consultations();
  const made = await own.run(FILES, ...places.flatMap((one) => ['--reviewers', one]));
  expect(made.code, made.stderr).toBe(0);
  const written = await own.run('export', 'pilot', '--out', 'sheets');
  expect(written.code, written.stderr).toBe(0);
  const sheet = (place: string): string => join(own.folder, 'sheets', place, SHEET);
  /** Gives every case the class vata, and changes the whole text. */
  const fill = (place: string, change: (text: string) => string = (text) => text): void => {
    const [header = '', ...rows] = readFileSync(sheet(place), 'utf8').split('\r\n');
    const at = header.split(',').indexOf('prakriti');
    expect(at).toBeGreaterThan(0);
    const filled = rows.map((row) => row.replace(/^((?:[^,"]*|"[^"]*")(?:,(?:[^,"]*|"[^"]*")){3}),,/, '$1,vata,'));
    writeFileSync(sheet(place), change([header, ...filled].join('\r\n')));
  };
  const names = async (): Promise<string[]> => {
    const people = JSON.parse((await own.run('people', 'pilot', '--json')).stdout) as { name: string }[];
    return people.map(({ name }) => name);
  };
  return { ...own, made, sheet, fill, names };
}

test('places for as many reviewers as the form wants have sheets before anybody is named', async () => {
  const { made, folder, names } = await withPlaces('form');
  expect(made.stdout).toMatch(/expert-3 +reviewer +expert +6\n/);
  expect(readdirSync(join(folder, 'sheets')).toSorted()).toEqual([
    'annotator-1',
    'annotator-2',
    'expert-1',
    'expert-2',
    'expert-3',
    'practitioner-1',
    'practitioner-2',
  ]);
  expect(await names()).toEqual(expect.arrayContaining(['expert-1', 'practitioner-2', 'owner']));
  const passages = readFileSync(join(folder, 'sheets/annotator-1/retrieved_passages.txt'), 'utf8');
  expect(passages).toContain('[2]\nCold water soothes heat.');
  expect(passages).not.toContain('rag');
  expect(readdirSync(join(folder, 'sheets/expert-1'))).not.toContain('retrieved_passages.txt');
});

test('a place gets the name that --reviewer gives, and the answers are theirs', async () => {
  const { run, fill, names } = await withPlaces('expert:2');
  fill('expert-2');
  const done = await run('import', 'pilot', `sheets/expert-2/${SHEET}`, '--reviewer', 'Asha');
  expect(done.stdout, done.stderr).toMatch(/ ratings +6 +2 +0 +2\n/);
  expect(done.stderr).toContain('the place "expert-2" is "Asha"’s from now on');
  expect(await names()).toEqual(['expert-1', 'Asha', 'owner']);
  const lines = await run('export', 'pilot', '--format', 'jsonl', '--drafts');
  expect(lines.stdout).toContain('"reviewer":"Asha"');
  expect(lines.stdout).not.toContain('expert-2');
  // The same sheet again, which still has the name of the place.
  const again = await run('import', 'pilot', `sheets/expert-2/${SHEET}`, '--reviewer', 'Asha');
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toMatch(/ ratings +6 +0 +2 +0\n/);
});

test('a name that was filled in takes a place that nobody has; one that is nearly somebody’s does not', async () => {
  const { run, fill, names } = await withPlaces('2');
  fill('reviewer-1', (text) => text.replaceAll('reviewer-1', 'Bela'));
  const done = await run('import', 'pilot', `sheets/reviewer-1/${SHEET}`);
  expect(done.code, done.stderr).toBe(0);
  expect(await names()).toEqual(['Bela', 'reviewer-2', 'owner']);
  fill('reviewer-2', (text) => text.replaceAll('reviewer-2', 'Bella'));
  const typo = await run('import', 'pilot', `sheets/reviewer-2/${SHEET}`);
  expect(typo.code).toBe(2);
  expect(typo.stderr).toContain(
    'there is no reviewer "Bella" in this review: these rows are left out (did you mean Bela?)',
  );
  expect(await names()).toEqual(['Bela', 'reviewer-2', 'owner']);
});

test('an empty column, a dry run, a name that is taken and a place too few are each said', async () => {
  const { run, fill, names } = await withPlaces('1');
  fill('reviewer-1', (text) => text.replaceAll('reviewer-1', ''));
  const file = `sheets/reviewer-1/${SHEET}`;
  expect((await run('import', 'pilot', file)).stderr).toContain('expected the name of the reviewer, found nothing');
  expect((await run('import', 'pilot', file, '--reviewer', 'owner')).stderr).toContain('there is no reviewer');
  expect((await run('import', 'pilot', file, '--reviewer', 'Asha', '--dry-run')).stdout).toMatch(
    / ratings +6 +2 +0 +2\n/,
  );
  expect(await names()).toEqual(['reviewer-1', 'owner']);
  expect((await run('import', 'pilot', file, '--reviewer', 'Asha')).code).toBe(0);
  expect(await names()).toEqual(['Asha', 'owner']);
  const none = await run('import', 'pilot', file, '--reviewer', 'Bela');
  expect(none).toMatchObject({ code: 2 });
  expect(none.stderr).toContain('there is no reviewer "Bela" in this review');
});

test('links --rename names whoever works in the browser; a wrong number of places is refused', async () => {
  const { run, names } = await withPlaces('1');
  expect((await run('links', 'pilot', '--rename', 'reviewer-1=Asha')).stdout).toContain('Asha (reviewer)');
  expect(await names()).toEqual(['Asha', 'owner']);
  expect((await run('links', 'pilot', '--rename', 'Asha=owner')).stderr).toContain('somebody else has that name');
  const own = consultations();
  for (const wrong of ['0', 'x', 'expert:', 'expert:999'])
    expect((await own.run(FILES, '--reviewers', wrong)).stderr).toContain(
      `--reviewers ${JSON.stringify(wrong)}: expected`,
    );
  expect((await own.run(FILES, '--reviewers', 'exprt:2')).stderr).toContain('did you mean expert?');
  expect((await own.run(FILES)).stderr).toContain('--reviewers form');
});

test('a folder of texts is frozen with the review; one that holds none is refused', async () => {
  const own = consultations();
  mkdirSync(join(own.folder, 'samhitas/deep'), { recursive: true });
  writeFileSync(join(own.folder, 'samhitas/charaka.txt'), 'Warm oil calms the wind of the body.');
  writeFileSync(join(own.folder, 'samhitas/deep/sushruta.md'), 'Cold water soothes heat.');
  const made = await own.run(FILES, '--reviewers', 'form', '--sources', 'samhitas');
  expect(made.stdout, made.stderr).toContain('2 texts to search next to the items');
  const none = await own.run(FILES.replace('pilot', 'other'), '--reviewers', 'form', '--sources', '.');
  expect(none.stderr + none.stdout).toContain('Created the review other');
  mkdirSync(join(own.folder, 'empty'));
  const empty = await own.run(FILES.replace('pilot', 'third'), '--reviewers', 'form', '--sources', 'empty');
  expect(empty).toMatchObject({ code: 2 });
  expect(empty.stderr).toContain('empty holds no text');
});
