import { describe, expect, it } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { listPresets, presetSource } from '../../src/recipe/preset-facts.ts';
import { presetNames } from '../../src/recipe/presets.ts';
import { parseYaml } from '../../src/recipe/yaml-document.ts';
import { wholeRecipeYaml } from '../../src/report/recipe-yaml.ts';
import { assayHere } from './assay-here.ts';
import { ROOT } from './run-assay.ts';

const presets = (...args: string[]) => assayHere(['presets', ...args], { cwd: ROOT });

describe('assay presets', () => {
  it('lists every preset once, by purpose, with what it expects', async () => {
    const groups = await listPresets();
    const listed = groups.flatMap((group) => group.presets.map(({ name }) => name));
    expect(listed.toSorted()).toEqual(presetNames());
    const { code, stdout } = await presets();
    expect(code).toBe(0);
    for (const name of listed) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const { title } of groups) expect(stdout).toMatch(new RegExp(`^${title.replace(/[()]/g, '.')}$`, 'm'));
    expect(stdout).toContain('Files: texts; gold and predicted spans (start, end, label)\n');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    ['spans/strict', 'texts; gold and predicted spans (start, end, label)'],
    ['redaction/tab', 'texts; gold and predicted spans (start, end, label), with identifier_type, entity_id'],
    ['triples/exact', 'gold and predicted relationships (source, type, target)'],
    [
      'relations/strict',
      'texts; gold and predicted entities (id, name, type, start, end) and relationships (source, type, target)',
    ],
    ['graph/openspec', 'gold and predicted entities (name, type) and relationships (source, type, target)'],
    [
      'journal/ashwam',
      'texts; gold and predicted objects (label, quote), with polarity, intensity_bucket, arousal_bucket, time_bucket',
    ],
    ['stream/exaid', 'traces of conversations, and the run logs of what summarised them (assay stream measure)'],
  ])('%s expects %s', async (name, expects) => {
    const { stdout } = await presets(name, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ name, expects });
  });

  it('prints the recipe of one, by an alias too, with its names and a command', async () => {
    const [now, before] = [await presets('spans/exact'), await presets('pii/exact')];
    expect(now).toEqual(before);
    expect(now.stdout).toBe(`# spans/exact: Spans: same boundaries, whatever the label
# Also called pii/exact
# Files: texts; gold and predicted spans (start, end, label)
# assay score spans/exact --gold gold.jsonl --predictions predictions.jsonl
task: spans
about: "Spans: same boundaries, whatever the label"
prepare: { annotator: first }
pair:
  gate: []
  similarity: exact
  assign: optimal
measure: [ precision, recall, f1, macro_precision, macro_recall, macro_f1 ]
slice: [ label ]
zeroDivision: undefined
interval: on
`);
  });

  it.each(presetNames())('what is printed of %s is that recipe, in a file that extends nothing', async (name) => {
    const plan = await planRecipe(name);
    const { value } = parseYaml(wholeRecipeYaml(presetSource(plan)), 'printed.yaml');
    expect((await planRecipe(value as object)).resolved).toEqual(plan.resolved);
  });

  it('lists them as JSON, with nothing else on standard output', async () => {
    const { stdout } = await presets('--json');
    const listed = JSON.parse(stdout) as { name: string; aliases: string[]; task: string }[];
    expect(listed.map(({ name }) => name).toSorted()).toEqual(presetNames());
    expect(listed.find(({ name }) => name === 'redaction/tab')).toMatchObject({ aliases: ['pii/tab'], task: 'spans' });
  });

  it('a name that is none is refused with the closest', async () => {
    expect(await presets('span/strict')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no preset called span/strict\ndid you mean spans/strict'),
    });
  });
});
