import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';
import { canonicalJson } from '../../src/score/canonical-json.ts';

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
    for (const set of ['about=other words', 'data.maxRecordMiB=8', 'pair.assign=greedy', 'data.format=spans']) {
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
