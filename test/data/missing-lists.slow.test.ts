import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { checkData } from '../../src/audit/check-data.ts';
import { checkFile } from '../../src/audit/check-file.ts';
import { convert } from '../../src/data/convert.ts';
import { InputError } from '../../src/data/problems.ts';
import type { CaseSources } from '../../src/data/read-cases.ts';
import { memorySource, type Source } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { type AnnotationShape, type Gap, recordsOf, SHAPES, TEXTS } from './annotation-shapes.ts';
import { jsonl } from './reading.ts';

type Side = 'gold' | 'predicted';

/** What a command makes of a file. */
interface Answer {
  readonly isAccepted: boolean;
  readonly items: number;
  /** Records without a list that were read as empty ones. */
  readonly counted: number;
}

const REFUSED: Answer = { isAccepted: false, items: 0, counted: 0 };
const LAYOUTS: readonly ((records: readonly object[]) => Source)[] = [
  (records) => memorySource('file.jsonl', jsonl(...records)),
  (records) => memorySource('file.json', JSON.stringify(records, null, 1)),
  (records) => memorySource('file.jsonl.gz', new Uint8Array(gzipSync(jsonl(...records)))),
];

/** The records of the other side, in the format that the recipe itself has. */
function partner({ recipe, items }: AnnotationShape, side: Side): Source {
  const ids = TEXTS.map((_, at) => `d${at}`);
  const records = {
    'graph/openspec': ids.map((id) => ({ id, output: { entities: [], relationships: [] } })),
    'triples/exact': ids.map((id) => ({ id, triples: [] })),
    'journal/ashwam': ids.map((journal_id, at) => ({ journal_id, items: items(TEXTS[at]!) })),
    'spans/strict': ids.map((id) => ({ id, spans: [] })),
  };
  return memorySource(
    side === 'gold' ? 'predictions.jsonl' : 'gold.jsonl',
    jsonl(...records[recipe ?? 'spans/strict']),
  );
}

/** The answers of all commands about the same file. */
async function answers(shape: AnnotationShape, side: Side, open: () => Source): Promise<Record<string, Answer>> {
  const recipe = shape.recipe ?? 'spans/strict';
  const sources = (): CaseSources => ({
    ...(side === 'gold'
      ? { gold: open(), predictions: partner(shape, side) }
      : { gold: partner(shape, side), predictions: open() }),
    ...(recipe === 'journal/ashwam'
      ? {
          cases: memorySource('texts.jsonl', jsonl(...TEXTS.map((text, at) => ({ journal_id: `d${at}`, text })))),
        }
      : {}),
  });
  const plan = { ...(await planRecipe(recipe)), interval: null };
  const countedIn = (notices: Readonly<{ absentLists?: number; absentListsEverywhere?: number }>): number =>
    (notices.absentLists ?? 0) + (notices.absentListsEverywhere ?? 0);
  const refusal = (error: unknown): Answer => {
    if (error instanceof InputError) return REFUSED;
    throw error;
  };
  const file = await checkFile(open()).catch(refusal);
  const data = await checkData(plan, sources()).catch(refusal);
  let items = 0;
  const sink = {
    scored: ({ given }: { given: { gold: readonly unknown[]; predicted: readonly unknown[] } }) =>
      void (items += given[side].length),
  };
  const score = await scoreToRun(plan, sources(), { sink }).then(
    ({ manifest }): Answer => ({ isAccepted: true, items, counted: countedIn(manifest.notices) }),
    refusal,
  );
  const converted = await convert(open(), join(temporaryFolder(), 'out.jsonl'), { side }).then(
    (made): Answer => ({ isAccepted: true, items: made.items, counted: countedIn(made.notices ?? {}) }),
    refusal,
  );
  const ofCheck = (check: typeof file | typeof data, sides: readonly Side[]): Answer => {
    if ('isAccepted' in check) return check;
    if (check.problems.total > 0) return REFUSED;
    const labelled = check.labels.reduce((sum, row) => sum + sides.reduce((all, own) => all + row[own], 0), 0);
    return { isAccepted: true, items: labelled, counted: countedIn(check.notices) };
  };
  return {
    'validate FILE': ofCheck(file, ['gold', 'predicted']),
    'validate RECIPE': ofCheck(data, [side]),
    score,
    convert: converted,
  };
}

const PLACES: Readonly<Record<string, readonly number[]>> = {
  'all but the last': [0, 1, 2],
  'in the middle and last': [1, 3],
  everywhere: [0, 1, 2, 3],
};
const GAPS: readonly Gap[] = ['absent', 'null', 'empty'];

describe.each(Object.entries(SHAPES))('%s: an absent or null list is an empty one for every command', (_, shape) => {
  const sides: readonly Side[] = shape.side === undefined ? ['gold', 'predicted'] : [shape.side];
  it.each(sides)('in a file of %s', async (side) => {
    let turn = 0;
    for (const gap of GAPS)
      for (const [place, gaps] of Object.entries(PLACES)) {
        const records = recordsOf(shape, gap, gaps);
        turn += 1;
        const all = await answers(shape, side, () => LAYOUTS[turn % LAYOUTS.length]!(records));
        const where = { gap, place };
        const answer = {
          isAccepted: true,
          items: TEXTS.length - gaps.length,
          counted: gap === 'empty' ? 0 : gaps.length,
        };
        // Texts alone are an answer only if the format of the other file shows it.
        const isTexts = gap === 'absent' && place === 'everywhere' && shape.isShown !== true;
        const { score = REFUSED, 'validate FILE': asFile = REFUSED } = all;
        const ofTexts = {
          ...all,
          'validate FILE': { ...asFile, items: 0 },
          'validate RECIPE': score,
          convert: REFUSED,
        };
        expect({ where, all }).toEqual({ where, all: isTexts ? ofTexts : mapOf(all, answer) });
      }
  });
});

function mapOf(answered: Readonly<Record<string, Answer>>, answer: Answer): Record<string, Answer> {
  return Object.fromEntries(Object.keys(answered).map((command) => [command, answer]));
}
