import { describe, expect, test } from 'vitest';

import type { Manifest } from '../../src/score/run.ts';
import { signatureDifferences } from '../../src/compare/signature-differences.ts';

const BASE =
  'assay:0.2.0|task:pii|recipe:#aaaaaaaaaaaa|prepare:none|pair:iou:greedy|judge:none|gold:0123456789abcdef(3)';

function manifest(comparable: string, resolved: Readonly<Record<string, unknown>> = {}, name = 'x'): Manifest {
  return {
    format: 2,
    assay: '0.2.0',
    signature: `${comparable}|predicted:00`,
    comparable,
    task: 'pii',
    recipe: { name, about: '', set: [], resolved },
    inputs: [],
    notices: {},
    outputs: {},
  };
}

describe('signatureDifferences', () => {
  test('nothing where what may be compared is the same', () => {
    const one = manifest(BASE, { interval: 'off' });
    expect(signatureDifferences(one, manifest(BASE, { interval: { level: 0.9 } }))).toEqual([]);
  });

  test('names each part with both values', () => {
    const other = BASE.replace('0.2.0', '0.3.0').replace('0123456789abcdef(3)', 'fedcba9876543210(4)');
    expect(signatureDifferences(manifest(BASE), manifest(other))).toEqual([
      'assay: 0.2.0 and 0.3.0',
      'the cases or their gold differ (0123456789abcdef(3) and fedcba9876543210(4))',
    ]);
  });

  test('of runs of two tasks, that alone is said', () => {
    const other = { ...manifest(BASE.replace('task:pii', 'task:graph').replace('#aaaa', '#bbbb')), task: 'graph' };
    expect(signatureDifferences(manifest(BASE), other)).toEqual(['task: pii and graph']);
  });

  test('a part that only one has is none in the other', () => {
    const other = BASE.replace('|judge', '|schemes:token|judge');
    expect(signatureDifferences(manifest(BASE), manifest(other))).toEqual(['schemes: none and token']);
  });

  test('recipes differ by the path of their settings; what the hash leaves out is not blamed', () => {
    const [one, other] = [
      manifest(BASE, {
        about: 'a',
        interval: { seed: 1 },
        data: { format: 'spans', offsets: 'codepoint' },
        pair: { span: { threshold: { LOC: 0.3 } } },
        slice: ['label'],
      }),
      manifest(BASE.replace('#aaaaaaaaaaaa', '#bbbbbbbbbbbb'), {
        about: 'b',
        interval: { seed: 2 },
        data: { format: 'csv', offsets: 'codepoint' },
        pair: { span: { threshold: { LOC: 0.4 } } },
        slice: ['label'],
        zeroDivision: 0,
      }),
    ];
    expect(signatureDifferences(one, other)).toEqual([
      'the recipe x has other settings: pair.threshold.LOC is 0.3 and 0.4, zeroDivision is not set and 0',
    ]);
  });

  test('different recipes are named, with values as a recipe writes them and the parts that only one has', () => {
    const way = (similarity: string, threshold: unknown) => ({ accept: [{ name: 'pair', similarity, threshold }] });
    const one = manifest(
      BASE,
      { prepare: { merge: { gap: 1 } }, pair: { span: way('iou', { LOC: 0.3, default: '0.5' }) } },
      'pii/piranha',
    );
    const other = manifest(
      BASE.replace('#aaaaaaaaaaaa', '#bbbbbbbbbbbb'),
      { prepare: {}, pair: { span: way('exact', 0.5) }, schemes: { strict: {}, type: {} } },
      'own\u001b.yaml',
    );
    expect(signatureDifferences(one, other)).toEqual([
      'the recipes are pii/piranha and own\\u001b.yaml: pair.similarity is iou and exact, ' +
        'pair.threshold is {LOC: 0.3, default: "0.5"} and 0.5; only pii/piranha has prepare.merge; ' +
        'only own\\u001b.yaml has schemes',
    ]);
  });

  test('values whose beginning is the same only differ', () => {
    const words = (last: string) => ({ judge: { r: { words: [...Array.from({ length: 20 }, () => 'word'), last] } } });
    const other = manifest(BASE.replace('#aaaaaaaaaaaa', '#bbbbbbbbbbbb'), words('two'));
    expect(signatureDifferences(manifest(BASE, words('one')), other)).toEqual([
      'the recipe x has other settings: judge.r.words differs',
    ]);
  });

  test('of many settings the first five are named', () => {
    const settings = (value: number) => Object.fromEntries('abcdefg'.split('').map((name) => [name, value]));
    const [found] = signatureDifferences(
      manifest(BASE, settings(1)),
      manifest(BASE.replace('#aaaaaaaaaaaa', '#bbbbbbbbbbbb'), settings(2)),
    );
    expect(found).toBe(
      'the recipe x has other settings: a is 1 and 2, b is 1 and 2, c is 1 and 2, d is 1 and 2, e is 1 and 2, and 2 more settings',
    );
  });

  test('of different extractors it is said that they differ, and in what', () => {
    const line = (hash: string): string => BASE.replace('|gold', `|concepts:linker#${hash}|gold`);
    const one = manifest(line('aaa'), { concepts: { name: 'linker', knowledgeBase: 'sha256:1', settings: { k: 10 } } });
    const other = manifest(line('bbb'), {
      concepts: { name: 'linker', knowledgeBase: 'sha256:2', settings: { k: 5 } },
    });
    expect(signatureDifferences(one, other)).toEqual([
      'the concept extractors differ: knowledgeBase is sha256:1 and sha256:2, settings.k is 10 and 5',
    ]);
    expect(signatureDifferences(one, manifest(BASE))).toEqual([
      'the concept extractors differ: only the first run records what found its concepts',
    ]);
  });

  test('what is said about a measure is not blamed', () => {
    const measured = (more: object) => ({ measure: { m: { of: 'case-mean', measure: { of: 'ratio', ...more } } } });
    const [found] = signatureDifferences(
      manifest(BASE, measured({ about: 'a', unit: 'ms', scale: 1 })),
      manifest(BASE.replace('#aaaaaaaaaaaa', '#bbbbbbbbbbbb'), measured({ about: 'b', scale: 1000 })),
    );
    expect(found).toBe('the recipe x has other settings: measure.m.measure.scale is 1 and 1000');
  });
});
