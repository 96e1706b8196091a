import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { isRecord } from '../../src/data/record-fields.ts';
import { type Plan, planRecipe } from '../../src/recipe/plan.ts';
import { presetNames } from '../../src/recipe/presets.ts';
import { score } from '../../src/report/score.ts';
import { canonicalJson } from '../../src/score/fingerprint.ts';
import { signatureOf } from '../../src/score/signature.ts';

const gold =
  '{"id":"a","text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON"}]}\n{"id":"b","text":"Rome","spans":[]}\n';
const predictions = '{"id":"a","spans":[{"start":0,"end":3,"label":"PERSON"}]}\n{"id":"b","spans":[]}\n';

async function signed(
  recipe: string | object,
  set: readonly string[] = [],
  said = predictions,
  right = gold,
): Promise<{ signature: string; comparable: string }> {
  return score(
    recipe,
    { gold: memorySource('gold.jsonl', right), predictions: memorySource('p.jsonl', said) },
    { set },
  );
}

describe('the signature', () => {
  it('is one line that names tool, task, recipe, rules, gold and predictions', async () => {
    const { signature, comparable } = await signed('pii/piranha');
    expect(signature).toMatch(
      /^assay:\d+\.\d+\.\d+\|task:pii\|recipe:pii\/piranha#[0-9a-f]{12}\|prepare:annotator\+relabel\+merge\|pair:iou:greedy\|judge:loc-in-org\+excuse-missed\+excuse-overlap\|gold:[0-9a-f]{16}\(2\)\|predicted:[0-9a-f]{16}\|interval:percentile\(10000,0\.95,seed 42\)$/,
    );
    expect(comparable).toBe(signature.replace('pii/piranha#', '#').replace(/\|predicted:.*$/, ''));
  });

  it('changes with any setting that affects a number, and with nothing else', async () => {
    const base = await signed('pii/piranha');
    for (const set of [
      'pair.threshold.LOC=0.31',
      'judge.loc-in-org=off',
      'prepare.merge.gap=2',
      'zeroDivision=0',
      'pair.assign=optimal',
      'judge.order=excuse-missed,loc-in-org,excuse-overlap',
    ]) {
      expect((await signed('pii/piranha', [set])).comparable, set).not.toBe(base.comparable);
    }
    for (const set of [
      'about=other words',
      'measure.f1.heading=Main',
      'spread=true',
      'data.maxRecordMiB=8',
      'pair.assign=greedy',
      'data.format=spans',
    ]) {
      expect((await signed('pii/piranha', [set])).signature, set).toBe(base.signature);
    }
  });

  it('does not ask what a recipe is called when two are compared', async () => {
    const [preset, own] = [await signed('pii/strict'), await signed({ extends: 'pii/strict' })];
    expect(own.comparable).toBe(preset.comparable);
    expect(own.signature).not.toBe(preset.signature);
  });

  it('names the unit where items are not paired', async () => {
    expect((await signed('pii/token')).signature).toContain('|pair:token|');
  });

  it('notices the order of items where a rule of the recipe reads it', async () => {
    const two = predictions.replace('[{', '[{"start":4,"end":7,"label":"VERB"},{');
    const turned = predictions.replace('}]', '},{"start":4,"end":7,"label":"VERB"}]');
    const set = ['prepare.merge-in-order={labels: [PERSON]}'];
    expect((await signed('pii/strict', [], two)).signature).toBe((await signed('pii/strict', [], turned)).signature);
    expect((await signed('pii/strict', set, two)).signature).not.toBe(
      (await signed('pii/strict', set, turned)).signature,
    );
  });

  it('stays comparable when only the predictions differ', async () => {
    const base = await signed('pii/strict');
    const other = await signed('pii/strict', [], predictions.replace('"end":3', '"end":2'));
    expect(other.comparable).toBe(base.comparable);
    expect(other.signature).not.toBe(base.signature);
    expect((await signed('pii/strict', [], predictions, gold.replace('Rome', 'Nice'))).comparable).not.toBe(
      base.comparable,
    );
  });
});

it('canonical JSON sorts keys but keeps the order of rules', () => {
  expect(canonicalJson({ b: 1, a: { d: 1, c: 2 } })).toBe('{"a":{"c":2,"d":1},"b":1}');
  expect(canonicalJson({ judge: { z: {}, a: {} } })).not.toBe(canonicalJson({ judge: { a: {}, z: {} } }));
});

type Path = readonly (string | number)[];

/** The places of everything in a value that holds nothing else; what is empty is one too. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((inner, at) => leavesOf(inner, [...path, at]));
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  return [path];
}

function changed(value: unknown): unknown {
  if (Array.isArray(value)) return ['other'];
  if (isRecord(value)) return { other: 1 };
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : `${String(value)} other`;
}

function withChange(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return changed(value);
  if (Array.isArray(value)) return value.map((inner: unknown, at) => (at === key ? withChange(inner, rest) : inner));
  if (!isRecord(value)) throw new Error(`nothing at ${key}`);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === key ? withChange(inner, rest) : inner]),
  );
}

/** Leaves that change no number, each with the reason. */
const CHANGES_NOTHING: readonly (readonly [RegExp, string])[] = [
  [/^about$|^limits$/, 'words for the reader'],
  [/^primary\b/, 'which measures come first'],
  [/^spread$/, 'whether the spread over cases is printed; it is worked out in any case'],
  [/^audit\b/, 'what the audit looks for, beside the numbers'],
  [/^data\.(?:format|columns|maxRecordMiB)\b/, 'how a file is read; what was read is in the hashes of the data'],
  [/^measure\..*\.(?:about|unit|symbol|heading)$/, 'words for the reader of a measure'],
];

/** Sections that have a part of the signature of their own, taken from the plan. */
const OWN_PART = /^(?:interval|concepts)\b/;

const CONTENT = { gold: () => 'g'.repeat(16), predicted: () => 'p'.repeat(16), clusters: () => 'c'.repeat(8) };
const signature = (plan: Plan): string => signatureOf(plan, CONTENT, 2).full;

describe('law: changing any leaf of a resolved recipe changes the signature', () => {
  it.each(presetNames())('%s', async (preset) => {
    const plan = await planRecipe(preset);
    const base = signature(plan);
    const kept: string[] = [];
    for (const path of leavesOf(plan.resolved)) {
      const name = path.join('.');
      const resolved = withChange(plan.resolved, path);
      if (!isRecord(resolved)) throw new Error('a recipe is a mapping');
      if (!OWN_PART.test(name) && signature({ ...plan, resolved }) === base) kept.push(name);
    }
    expect(kept.filter((name) => !CHANGES_NOTHING.some(([pattern]) => pattern.test(name)))).toEqual([]);
  });

  it('so do the settings of intervals, which the signature names', async () => {
    const plan = await planRecipe('pii/strict');
    const { interval } = plan;
    if (interval === null) throw new Error('the preset has intervals');
    const all = [null, ...leavesOf(interval).map((path) => withChange(interval, path))];
    const signatures = all.map((one) => signature({ ...plan, interval: one as Plan['interval'] }));
    expect(new Set([signature(plan), ...signatures]).size).toBe(all.length + 1);
  });

  it('so does whatever found the concepts', async () => {
    const sections = (name: string, version: number) => ({ concepts: { name, rules: { version } } });
    const signatures = await Promise.all(
      [sections('a', 1), sections('b', 1), sections('a', 2)].map(async (one) =>
        signature(await planRecipe('stream/exaid', [], one)),
      ),
    );
    expect(new Set(signatures).size).toBe(3);
  });

  it('so does every parameter of a rule that is set, of rules under judge too', async () => {
    const base = signature(await planRecipe('pii/piranha'));
    const set = [
      'prepare.annotator.absent=empty',
      'prepare.relabel.mojibake=repair',
      'prepare.relabel.side=both',
      'prepare.merge.labels=[PERSON]',
      'judge.loc-in-org.minLength=4',
      'judge.loc-in-org.shape=any',
      'judge.loc-in-org.words=[court]',
      'judge.loc-in-org.orLength=5',
      'judge.loc-in-org.place=overlap',
      'judge.loc-in-org.tolerance=2',
      'judge.loc-in-org.usesGold=false',
      'judge.loc-in-org.label=ORG',
      'judge.excuse-missed.labels=[ORG]',
      'judge.excuse-missed.because=other',
      'judge.excuse-overlap.share=0.6',
    ];
    const signatures = await Promise.all(set.map(async (line) => signature(await planRecipe('pii/piranha', [line]))));
    expect(new Set([base, ...signatures]).size).toBe(set.length + 1);
  });
});
