import { basename, resolve } from 'node:path';

import type { Plan } from '../../index.ts';
import { type Section, shellWord, UsageError, visible } from '../../plugin.ts';
import { expiryOf, loadSnapshot, parsePerson, unnamedPlaces, USUAL_DAYS } from '../../review.ts';
import { hasLocalStore } from '../backend-of.ts';
import type { SourceFlags } from '../scored-sources.ts';
import { formOf, prepareReview, refuseName } from './make-review.ts';
import { dataOption, withReview, withStore } from './review-store.ts';
import { refuseFilled, writeSheets } from './write-sheets.ts';

const SEED = 42;

/**
 * Prepares the sheets that are written next to a report: those of the review that is scored, else of a new review with as
 * many reviewers as the form wants, named after the run folder. Refuses before anything is scored or written.
 */
export async function sheetsBeside(
  plan: Plan,
  set: readonly string[],
  { sheets, out, ...flags }: SourceFlags & { readonly sheets: string; readonly out?: string },
): Promise<() => Promise<Section[]>> {
  const form = formOf(plan);
  if (out === undefined) throw new UsageError('--sheets needs a run folder for the report', 'add --out FOLDER');
  if ((flags.reviews ?? []).length > 0)
    throw new UsageError(
      '--sheets needs a review in the store, and --reviews names a file',
      'create the review without --reviews, then use assay review import NAME FILE',
    );
  const { review, cases = [], gold = [], predictions = [] } = flags;
  refuseFilled([sheets], 'or name another folder with --sheets');
  if (review !== undefined)
    return () =>
      withReview({ ...flags, name: review }, 'look', (snapshot) => writeSheets(snapshot, { ...flags, out: sheets }));
  if ([...cases, ...gold, ...predictions].includes('-'))
    throw new UsageError('--sheets reads the files again, and standard input (-) can be read once only', 'name files');
  const name = basename(resolve(out));
  refuseName(name);
  if (hasLocalStore(flags)) await withStore(flags, 'look', ({ reviews }) => refuseTaken(name, reviews.find(name)));
  const people = [...unnamedPlaces(form, 'form'), parsePerson('owner', 'owner')];
  const expiresAt = expiryOf(`${USUAL_DAYS}d`, new Date());
  return async () => {
    const init = { ...flags, cases, gold, predictions, name, set, people, seed: SEED, expiresAt };
    // The files of a folder are named by scoring already.
    const make = await prepareReview(plan, init, () => undefined);
    return withStore(flags, 'begin', (store) => {
      make(store);
      const sections = writeSheets(loadSnapshot(store, name), { ...flags, out: sheets });
      const next = `Then: --review ${shellWord(name)}${dataOption(flags)} in place of --sheets counts the answers`;
      return [...sections, { blocks: [{ text: next, whole: true }] }];
    });
  };
}

function refuseTaken(name: string, review: object | null): void {
  if (review === null) return;
  throw new UsageError(
    `there is a review named ${visible(name)} already, and --sheets names a new one after --out`,
    `use its answers with --review ${shellWord(name)}, or name another --out`,
  );
}
