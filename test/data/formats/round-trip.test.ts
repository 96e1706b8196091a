import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Case } from '../../../src/data/case.ts';
import type { CaseLoss } from '../../../src/data/case-losses.ts';
import { writableFormat, writableFormats, writeChecked } from '../../../src/data/convert.ts';
import type { Item, Side } from '../../../src/data/item.ts';
import { sortedJson } from '../../../src/data/sorted-json.ts';
import { runsHere } from '../../many-runs.ts';
import { anyCases } from './any-case.ts';
import { DECLARED, keptItems, tokensOf } from './declared.ts';
import { readSide } from './read-side.ts';

/** Fixed, so that a failure on one machine is a failure on all. */
const runs = { seed: Number(process.env['SEED'] ?? 20261), numRuns: runsHere(40) };

const CHANGED = new Set([
  'the place',
  'the label',
  'the text',
  'its pieces',
  'the places of its ends',
  'the text of its ends',
]);
const IDENTITY = new Set(['the item', ...CHANGED]);

/** What makes an item what it is, as text; relations by what they join. */
function signature(item: Item, among: readonly Item[]): string {
  const of = ({ label, start, end, text, fragments = [] }: Item): unknown => [label, start, end, text, fragments];
  if (item.kind !== 'relationship') return JSON.stringify(of(item));
  const end = (ref: string | null): unknown => {
    const mentions = among.filter(({ kind }) => kind !== 'relationship');
    const named =
      mentions.find(({ fields }) => String(fields['id'] ?? fields['temp_id']) === ref) ??
      mentions.find(({ text }) => text === ref);
    return named === undefined ? ref : of(named);
  };
  return JSON.stringify(['joins', item.label, end(item.source), end(item.target)]);
}

function countedItems(items: readonly Item[]): Map<string, number> {
  return new Map([...Map.groupBy(items, (item) => signature(item, items))].map(([text, own]) => [text, own.length]));
}

/** How many of some there are beyond those of others. */
function beyond(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): number {
  return [...some].reduce((sum, [text, count]) => sum + Math.max(0, count - (others.get(text) ?? 0)), 0);
}

const PLAIN_FIELDS = new Set(['score', 'note', 'kind', 'meta', 'split']);

function mustHold(kind: 'json' | 'text' | undefined, name: string, value: unknown): boolean {
  if (!PLAIN_FIELDS.has(name) || kind === undefined || value === null) return false;
  return (
    kind === 'json' || typeof value === 'number' || (typeof value === 'string' && /^[\w ."']+$/.test(value.trim()))
  );
}

/** What is wrong with a report of losses, as sentences; none, if it is right. */
function faults(
  format: string,
  given: Case,
  back: Case | null,
  losses: readonly CaseLoss[],
  side: Side,
  cases: readonly Case[],
): string[] {
  const declared = DECLARED[format]!;
  const own = losses.filter((loss) => loss.case === given.id);
  const isReported = (what: string): boolean => own.some((loss) => loss.item === null && loss.what === what);
  if (back === null) return [`${given.id} is not there`];
  const out: string[] = [];
  const check = (isRight: boolean, sentence: string): void => void (isRight || out.push(`${given.id}: ${sentence}`));

  const { signs } = declared;
  const isTextHeld = signs !== null && !(signs instanceof RegExp && signs.test(given.text ?? ''));
  const isTextLost = isReported('the text') || isReported('the exact text');
  check(isTextLost === (back.text !== given.text), 'the text is not as reported');
  const isPadded = format === 'webanno-tsv' && /^[\s\u0085\u001c-\u001f]/.test(given.text ?? '');
  if (!isPadded) check(isTextLost === !isTextHeld, 'the text is held, or not, as nobody declared');
  check(isReported('the id') === (back.id !== given.id), 'the id is not as reported');
  // Ids that would be the same in the format are numbered.
  if (declared.ids?.(given.id) !== false) check(back.id.replace(/~\d$/, '') === given.id, `the id became ${back.id}`);
  const hasTokens = (given.tokens?.length ?? 0) > 0;
  if (hasTokens && declared.tokens === true && tokensOf(given) === given.tokens && isTextHeld && !isPadded)
    // A token with white space in it has no line of its own.
    check(!isReported('the tokens') || (format === 'conll' && /\s/.test(given.text ?? '')), 'the tokens are lost');

  const [items, found] = [given[side], back[side]];
  const [mine, theirs] = [countedItems(items), countedItems(found)];
  const [missing, added] = [beyond(mine, theirs), beyond(theirs, mine)];
  const ofItems = own.filter((loss) => loss.side === side && loss.item !== null);
  const countOf = (kinds: ReadonlySet<string>): number => ofItems.filter((loss) => kinds.has(loss.what)).length;
  const [identity, changed] = [countOf(IDENTITY), countOf(CHANGED)];
  // A name that was found in the text has lost nothing, and now has a place.
  const isPlaced = items.some(({ kind, start }) => kind === 'entity' && start < 0) && declared.quotes === true;
  check(
    isPlaced ? identity <= missing : identity === missing,
    `${missing} items are lost or changed, ${identity} are reported`,
  );
  // A name with half a character is another one in a table; a quote may be found with other white space, or elsewhere.
  const isOther = isPlaced || declared.spans === 'quotes' || (format === 'csv' && /\p{Cs}/u.test(given.text ?? ''));
  if (!isOther) check(changed === added, `${added} items are new, ${changed} are reported as changed`);
  const kept = keptItems(format, given, side, cases);
  const sure = [...kept.values()].filter((one) => one === false).length;
  const unsure = [...kept.values()].filter((one) => one === null).length;
  check(
    identity >= sure && identity <= sure + unsure,
    `${identity} items are lost, declared are ${sure} to ${sure + unsure}`,
  );

  for (const item of items) {
    const text = signature(item, items);
    if (mine.get(text) !== 1 || theirs.get(text) !== 1) continue;
    const match = found.find((one) => signature(one, found) === text)!;
    const name = `${item.kind} ${item.label} ${JSON.stringify(item.text.length > 60 ? `${item.text.slice(0, 59)}…` : item.text)}`;
    const reported = new Set(ofItems.filter((loss) => loss.item!.startsWith(name)).map(({ what }) => what));
    if (item.annotator !== null && match.annotator !== item.annotator)
      check(reported.has('the annotator'), `the annotator of ${name} is lost without a word`);
    if (declared.annotators === true || declared.annotators === side)
      check(match.annotator === item.annotator || item.annotator === null, `the annotator of ${name} is lost`);
    for (const [field, value] of Object.entries(item.fields)) {
      if (
        ['id', 'temp_id', 'start', 'end', 'type', 'text', 'label', 'name', 'word', 'entity_type', 'source'].includes(
          field,
        )
      )
        continue;
      const isSame =
        sortedJson(match.fields[field] ?? null) === sortedJson(value) || String(value) === match.fields[field];
      if (!isSame && value !== null)
        check(reported.has(`the field ${field}`), `${field} of ${name} is lost without a word`);
      if (item.kind === 'span' && mustHold(declared.fields, field, value)) check(isSame, `${field} of ${name} is lost`);
    }
  }
  for (const [field, value] of Object.entries(given.fields)) {
    const isSame = sortedJson(back.fields[field] ?? null) === sortedJson(value) || String(value) === back.fields[field];
    if (!isSame && value !== null) check(isReported(`the field ${field}`), `${field} is lost without a word`);
    if (mustHold(declared.caseFields, field, value)) check(isSame, `${field} is lost`);
  }
  if (side === 'predicted' && given.failed !== null) {
    check(isReported('the failure') === (back.failed === null), 'the failure is not as reported');
    if (declared.failures === true) check(back.failed === given.failed, 'the failure is lost');
  }
  return out;
}

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-round-trip-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('is declared for every format that can be written', () => {
  expect(Object.keys(DECLARED).toSorted()).toEqual(
    writableFormats()
      .map(({ name }) => name)
      .toSorted(),
  );
});

describe('cases that are written and read back lose what the format is declared not to hold, and nothing else,', () => {
  it.each(writableFormats().flatMap(({ name }) => [[name, 'gold'] as const, [name, 'predicted'] as const]))(
    'in %s, %s',
    async (name, side) => {
      const target = writableFormat(name, '');
      await fc.assert(
        fc.asyncProperty(anyCases, (cases) =>
          inFolder(async (folder) => {
            const out = join(folder, target.writer.layout === 'files' ? 'out' : `out${target.writer.extension}`);
            const { losses, written } = await writeChecked(() => cases, target, out, { side });
            const back = await readSide(written.files, name, side, target.writer.offsets);
            const faulty = cases.flatMap((given, at) =>
              faults(name, given, back(written.ids[at]!, at, given.text), losses, side, cases),
            );
            expect(faulty).toEqual([]);
          }),
        ),
        runs,
      );
    },
  );

  it.each(writableFormats().filter(({ name }) => DECLARED[name]!.both))(
    'both sides at once, in $name',
    async ({ name }) => {
      const target = writableFormat(name, '');
      await fc.assert(
        fc.asyncProperty(anyCases, (cases) =>
          inFolder(async (folder) => {
            const both = await writeChecked(() => cases, target, join(folder, `both${target.writer.extension}`), {
              side: 'both',
            });
            const alone = await Promise.all(
              (['gold', 'predicted'] as const).map((side) =>
                writeChecked(() => cases, target, join(folder, `${side}${target.writer.extension}`), { side }),
              ),
            );
            const lost = (losses: readonly CaseLoss[], side: Side): string[] =>
              losses
                .filter((loss) => loss.side === side && IDENTITY.has(loss.what))
                .map((loss) => JSON.stringify(loss))
                .sort();
            expect(lost(both.losses, 'gold')).toEqual(lost(alone[0]!.losses, 'gold'));
            expect(lost(both.losses, 'predicted')).toEqual(lost(alone[1]!.losses, 'predicted'));
          }),
        ),
        { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
      );
    },
  );
});
