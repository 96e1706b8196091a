import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { serveReviews } from '../../../src/server/review/review-server.ts';
import { linkOf, reviewSecret, tokenOf } from '../../../src/review/review-access.ts';
import { openStore } from '../../../src/store/store.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { ROOT, temporaryFolder } from '../../cli/run-assay.ts';
import { NAME } from './consultations.ts';
import type { Serving } from './serving.ts';

/** A review made by `assay review create` of files, for Ann, Ben and Cay, behind a server of its own. */
export async function servingForm(recipe: string, files: readonly string[]): Promise<Serving> {
  const folder = temporaryFolder();
  const people = ['--reviewer', 'Ann', '--reviewer', 'Ben', '--adjudicator', 'Cay'];
  const made = await assayHere(['review', 'create', NAME, '--recipe', recipe, ...files, ...people, '--data', folder], {
    cwd: ROOT,
  });
  expect(made.code, made.stderr).toBe(0);
  const store = openStore(folder);
  onTestFinished(() => store.close());
  const server = await serveReviews({ store, log: () => {}, host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  const byName = new Map(store.reviews.people(store.reviews.find(NAME)!.id).map((person) => [person.name, person]));
  const secret = reviewSecret(folder);
  const link = (name: string, url: string): string => linkOf(url, tokenOf(secret, byName.get(name)!));
  return { store, folder, people: byName, link, url: server.url, linkTo: (name) => link(name, server.url) };
}

/** A file of its own for a test, one JSON object a line. */
export function linesFile(name: string, ...lines: readonly object[]): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
