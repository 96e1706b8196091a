import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { sha256Of } from '../../../src/data/sha256-of.ts';
import { quoteForm, quotePrompt, quoteSchema } from '../../../src/experiment/targets/quote-form.ts';
import { quoteRules } from '../../../src/experiment/targets/quote-target.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { completion, modelServer } from '../models/model-server.ts';
import { ask, item, openWithModel, sentTo } from './open-here.ts';

/** A domain more, a scale for symptoms without a value for "unknown", a kind of meal, and a free field. */
const WIDER = [
  'data.labels+=[sleep]',
  'data.values.severity_scale=[mild, severe]',
  'attributes.severity={field: severity_scale, labels: [symptom]}',
  'data.values.meal_type=[breakfast, lunch, unknown]',
  'attributes.meal={field: meal_type, labels: [food], missing: unknown}',
  'attributes.place={field: place, labels: [sleep]}',
];
const wider = await planRecipe('journal/ashwam', WIDER);
const TEXT = 'Slept on the sofa. Bad headache after idli.';
const base = { polarity: 'present', intensity_bucket: 'high', time_bucket: 'today' };
const HEADACHE = { domain: 'symptom', evidence_span: 'headache', ...base };
const IDLI = { domain: 'food', evidence_span: 'idli', ...base };
const SOFA = { domain: 'sleep', evidence_span: 'Slept on the sofa', polarity: 'present', time_bucket: 'today' };

describe('what the journal extractor looks for', () => {
  it('is, with the preset, word for word what it was before recipes decided it', async () => {
    const form = quoteForm(await planRecipe('journal/ashwam'));
    expect(sha256Of(JSON.stringify(quotePrompt(form)))).toBe(
      'sha256:093e7fd1a49e133647eefafd4bb1e98e4050a56ce1f141ce277ecbf239776956',
    );
    expect(sha256Of(JSON.stringify(quoteSchema(form)))).toBe(
      'sha256:6cd764487c4b247962cd8780348267c94cea7770b7f1e5c3f89191eb5683f28b',
    );
  });

  it('has the domains, fields and values of the recipe in the schema of the answer', () => {
    const { properties } = quoteSchema(quoteForm(wider)) as unknown as {
      properties: { items: { items: { anyOf: { properties: Record<string, unknown>; required: string[] }[] } } };
    };
    const kinds = properties.items.items.anyOf;
    expect(kinds.map((kind) => (kind.properties['domain'] as { enum: string[] }).enum)).toEqual([
      ['symptom'],
      ['food'],
      ['emotion'],
      ['mind'],
      ['sleep'],
    ]);
    expect(kinds[0]!.properties['severity_scale']).toEqual({ type: 'string', enum: ['mild', 'severe'] });
    expect(kinds[1]!.properties['meal_type']).toEqual({ type: 'string', enum: ['breakfast', 'lunch', 'unknown'] });
    // Nothing says what a place may be, nor what stands for one that is not given.
    expect(kinds[4]!.properties['place']).toEqual({ type: ['string', 'null'] });
    expect(kinds[4]!.required).toEqual(['domain', 'evidence_span', 'polarity', 'time_bucket', 'place']);
  });

  it('is in the prompt, in which braces of a recipe are no variables', async () => {
    const { prompt } = quotePrompt(quoteForm(wider));
    const system = JSON.stringify(prompt);
    expect(system).toContain('about body, food, feelings, mind and sleep.');
    expect(system).toContain('- for symptom: severity_scale. It is one of \\"mild\\", \\"severe\\"');
    expect(system).toContain('- for food: meal_type. It is \\"breakfast\\", \\"lunch\\", or \\"unknown\\" where');
    expect(system).toContain('- for sleep: place. It is text, or null where the entry does not say');
    const plan = await planRecipe('journal/ashwam', ["data.labels=['{{ text }}']"]);
    const { target, server } = await openWithModel(
      [completion('{"items":[]}')],
      { use: 'journal-extractor' },
      { plan },
    );
    await ask(target, item({ text: 'Secret.' }));
    expect(sentTo(server)[0]?.content).toContain('- domain: "{{ text }}"');
  });

  it('is what the rules after the model go by', () => {
    const form = quoteForm(wider);
    const given = [
      { ...HEADACHE, severity_scale: 'severe' },
      { ...HEADACHE, severity_scale: 'extreme' },
      HEADACHE,
      { ...IDLI, severity_scale: 'mild' },
      { ...SOFA, place: 'sofa', intensity_bucket: 'high' },
      { ...SOFA, place: null },
      { ...SOFA, domain: 'dream' },
    ];
    const { items, rejected, changed } = quoteRules(TEXT, given, form);
    expect(items).toEqual([
      { ...HEADACHE, severity_scale: 'severe', start: 23, end: 31 },
      { ...IDLI, meal_type: 'unknown', start: 38, end: 42 },
      { ...SOFA, place: 'sofa', start: 0, end: 17 },
      { ...SOFA, start: 0, end: 17 },
    ]);
    expect(rejected.map(({ because }) => because)).toEqual([
      'severity_scale is "extreme", expected one of mild, severe',
      'severity_scale is missing, expected one of mild, severe',
      'domain is "dream", expected one of symptom, food, emotion, mind, sleep',
    ]);
    expect(changed).toEqual([
      { item: 1, field: 'meal_type', from: null, to: 'unknown', because: 'it was not given' },
      { item: 1, field: 'severity_scale', from: 'mild', to: null, because: 'food has no severity_scale' },
      { item: 2, field: 'intensity_bucket', from: 'high', to: null, because: 'sleep has no intensity_bucket' },
    ]);
  });

  it('has to be in the recipe: no domains, or no uncertain to set, is an error before anything is asked', async () => {
    const open = async (set: readonly string[], spec: object = {}): Promise<unknown> =>
      openWithModel(
        [completion('{}')],
        { use: 'journal-extractor', ...spec },
        {
          plan: await planRecipe('journal/ashwam', set),
        },
      );
    await expect(open(['data.labels=[]'])).rejects.toThrow('names no domains');
    await expect(open(['data.values.polarity=[present, absent]'], { unsupported: 'uncertain' })).rejects.toThrow(
      'no field polarity with the value uncertain',
    );
  });
});

describe('an experiment with the journal extractor', () => {
  it('takes the form from its recipe, counts fields of other domains, and writes {journal_id, items}', async () => {
    const EMOTION = { domain: 'emotion', evidence_span: 'Bad', ...base, arousal_bucket: 'low' };
    const server = await modelServer(
      completion(JSON.stringify({ items: [{ ...SOFA, place: 'sofa' }, EMOTION] })),
      completion('no JSON'),
    );
    onTestFinished(() => server.close());
    const cwd = temporaryFolder();
    const gold = { items: [SOFA] };
    writeFileSync(
      join(cwd, 'items.jsonl'),
      ['J1', 'J2']
        .map(
          (id) =>
            `${JSON.stringify({ id: `row-${id}`, input: { journal_id: id, text: TEXT }, expected_output: gold })}\n`,
        )
        .join(''),
    );
    const experiment = (target: string): string =>
      `name: wide\ndataset: items.jsonl\ntarget: { use: journal-extractor, model: openai-compatible/m${target} }\n` +
      `recipe: wide.yaml\nset: [interval=off]\nlimits: { concurrency: 1, retries: 0 }\n`;
    writeFileSync(
      join(cwd, 'wide.yaml'),
      'task: journal\nextends: journal/ashwam\ndata: { labels+: [sleep] }\n' +
        'attributes: { place: { field: place, labels: [sleep] } }\n',
    );
    const run = async (target: string): Promise<string> => {
      writeFileSync(join(cwd, 'e.yaml'), experiment(target));
      const env = {
        LANGFUSE_PUBLIC_KEY: '',
        LANGFUSE_SECRET_KEY: '',
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: `${server.url}/v1`,
      };
      const { code, stdout, stderr } = await assayHere(['run', 'e.yaml'], { cwd, env });
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return stdout.replaceAll(/\s+/g, ' ');
    };
    expect(await run('')).toContain('1 field taken off by the system itself because the domain of the item');
    const file = join(cwd, 'runs/wide/predictions.jsonl');
    expect(existsSync(file)).toBe(false);
    // The file may be asked for later: nothing is asked again.
    await run(', predictions: true');
    expect(server.requests).toHaveLength(2);
    const { intensity_bucket: _, ...calm } = EMOTION;
    expect(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        journal_id: 'J1',
        items: [
          { ...SOFA, place: 'sofa', start: 0, end: 17 },
          { ...calm, start: 19, end: 22 },
        ],
      },
      { journal_id: 'J2', error: expect.stringMatching(/^schema: /) },
    ]);
  });
});
