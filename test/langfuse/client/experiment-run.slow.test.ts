import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { InputError } from '../../../src/data/problems.ts';
import type { FinishedRun } from '../../../src/experiment/run/run-experiment.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import { loadExperiment } from '../../../src/experiment/run/load-experiment.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { openStore } from '../../../src/store/store.ts';
import { serving } from '../../server/langfuse/serving.ts';
import { fastClock } from './fast-clock.ts';
import { quickBackend, server } from './quick-backend.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-langfuse-run-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const GRAPH = { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };

/** A dataset of so many items, each with the same expected output. */
async function makeItems(backend: Backend, count: number): Promise<void> {
  await backend.saveDataset({ name: 'people' });
  await backend.saveItems(
    'people',
    Array.from({ length: count }, (_, at) => ({
      id: `item-${at + 1}`,
      input: { document_text: `Ann ${at + 1}.` },
      expectedOutput: GRAPH,
    })),
  );
}

/** A module that answers, or throws for items of which there is no file `fixed`. */
function writeTarget(rules = ''): void {
  writeFileSync(
    join(folder, 'target.mjs'),
    `import { existsSync } from 'node:fs';
const isFixed = () => existsSync(${JSON.stringify(join(folder, 'fixed'))});
export default async function ({ id }) {
  ${rules}
  return ${JSON.stringify(GRAPH)};
}
`,
  );
}

async function run(backend: Backend, more: Record<string, unknown> = {}, onlyFailed = false): Promise<FinishedRun> {
  const file = join(folder, 'experiment.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      name: 'first',
      dataset: 'people',
      target: { use: 'module', module: './target.mjs' },
      recipe: 'graph/openspec',
      out: join(folder, 'run'),
      ...more,
    }),
  );
  return runExperiment({ loaded: loadExperiment(file, {}), backend, cacheFolder: null, onlyFailed });
}

describe('what does not arrive', () => {
  it('is sent once more, alone, and is an error where it stays away', async () => {
    const clock = fastClock();
    const lost: string[] = [];
    const isLost = (id: string, name: unknown): boolean => {
      if (lost.includes(id)) return lost[0] === id;
      return name === 'entity_f1' && lost.length < 2 && lost.push(id) > 0;
    };
    // One score for good, another one the first time.
    const langfuse = await server({ generation: 4, clock, scoresPerSecond: 50, losesScore: isLost });
    const backend = await quickBackend(langfuse, { clock, settleMs: 30_000 });
    await makeItems(backend, 60);
    writeTarget();
    const { summary } = await run(backend);
    const { expected, found, problem } = summary.published!;
    expect(problem).toBeNull();
    expect(expected.traces).toBe(60);
    expect(found).toEqual({ traces: 60, scores: expected.scores - 1 });
    // All of it, and then two traces with their scores: not all of it again.
    const spans = langfuse.requests.filter(({ path }) => path === '/otel/v1/traces').map(({ body }) => spanCount(body));
    expect(spans.reduce((sum, count) => sum + count, 0)).toBe((60 + 2) * 2);
    expect(spans.at(-1)).toBe(4);
    expect(existsSync(join(folder, 'run', 'published.jsonl'))).toBe(true);
  }, 60_000);
});

describe('a run that is scored again with other settings', () => {
  // "Anne" for "Ann": a similarity of 1 - 1/4, below 0.85 and above 0.7.
  const ANNE = "return { entities: [{ name: 'Anne', type: 'Person' }], relationships: [] };";
  const LOOSE = { set: ['pair.threshold=0.7'] };

  it.each([3, 4, 'both'] as const)(
    'shows the new value of every score (generation %s)',
    async (generation) => {
      const served = await serving({ generation });
      const backend = await quickBackend(served);
      await makeItems(backend, 20);
      writeTarget(ANNE);
      const valuesOf = (name: string): unknown[] =>
        served.store.scores.list({ names: [name] }, { page: 1, limit: 100 }).rows.map(({ value }) => value);
      await run(backend);
      expect([valuesOf('entity_recall'), valuesOf('pooled_entity_recall')]).toEqual([Array(20).fill(0), [0]]);
      const { summary } = await run(backend, LOOSE);
      expect(summary.published).toMatchObject({ problem: null, found: summary.published!.expected });
      for (const name of ['entity_recall', 'entity_precision', 'entity_f1'])
        expect([valuesOf(name), valuesOf(`pooled_${name}`)]).toEqual([Array(20).fill(1), [1]]);
    },
    60_000,
  );

  it.each([{ generation: 4 }, { generation: 3 }, { generation: 3, scoresV3: false }, {}] as const)(
    'names a score that keeps its earlier value there (%o)',
    async (behaviour) => {
      const sendings = new Map<string, number>();
      // Of one item, every sending but the first goes nowhere.
      let stale: string | null = null;
      const losesScore = (id: string, name: unknown): boolean => {
        sendings.set(id, (sendings.get(id) ?? 0) + 1);
        if (name === 'entity_recall') stale ??= id;
        return id === stale && sendings.get(id)! > 1;
      };
      const langfuse = await server({ ...behaviour, losesScore });
      const backend = await quickBackend(langfuse);
      await makeItems(backend, 3);
      writeTarget(ANNE);
      await run(backend);
      const { summary } = await run(backend, LOOSE);
      const { expected, found, differing } = summary.published!;
      expect(found).toEqual({ traces: 3, scores: expected.scores - 1 });
      expect(differing).toEqual([
        { item: expect.stringMatching(/^item-[123]$/), name: 'entity_recall', sent: 1, shown: 0 },
      ]);
    },
    60_000,
  );

  it.each([3, 4] as const)(
    'names a score of the whole run that keeps its earlier value (generation %s)',
    async (generation) => {
      let sendings = 0;
      const losesScore = (_: string, name: unknown): boolean => name === 'pooled_entity_recall' && (sendings += 1) > 1;
      const backend = await quickBackend(await server({ generation, losesScore }));
      await makeItems(backend, 3);
      writeTarget(ANNE);
      await run(backend);
      const { found, expected, differing } = (await run(backend, LOOSE)).summary.published!;
      expect(found).toEqual(expected);
      expect(differing).toEqual([{ item: null, name: 'pooled_entity_recall', sent: 1, shown: 0 }]);
    },
    60_000,
  );

  it('waits for a server that shows the earlier values for some seconds', async () => {
    const clock = fastClock();
    const langfuse = await server({ generation: 4, clock, scoresPerSecond: 2 });
    const backend = await quickBackend(langfuse, { clock, settleMs: 30_000 });
    await makeItems(backend, 10);
    writeTarget(ANNE);
    await run(backend);
    const { summary } = await run(backend, LOOSE);
    expect(summary.published).toMatchObject({ found: summary.published!.expected });
  }, 60_000);

  it('is sent later than before also by a clock that was set back', async () => {
    const langfuse = await server({ generation: 4 });
    const backend = await quickBackend(langfuse);
    await makeItems(backend, 3);
    writeTarget(ANNE);
    await run(backend);
    // As it was written by a process whose clock was an hour ahead.
    const file = join(folder, 'run', 'published.jsonl');
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"sent":"[^"]+"/g, `"sent":"${ahead}"`));
    const before = langfuse.count(/^POST \/ingestion$/);
    await run(backend, LOOSE);
    const events = langfuse.requests
      .filter(({ path }) => path === '/ingestion')
      .slice(before)
      .flatMap(({ body }) => body['batch'] as { timestamp: string }[]);
    expect(events.length).toBeGreaterThan(9);
    for (const { timestamp } of events) expect(timestamp > ahead).toBe(true);
  }, 60_000);

  it('is sent again if an older version sent it twice as at one time', async () => {
    const served = await serving({ generation: 4 });
    const backend = await quickBackend(served);
    await makeItems(backend, 3);
    writeTarget(ANNE);
    await run(backend);
    const file = join(folder, 'run', 'published.jsonl');
    const [first, ...others] = readFileSync(file, 'utf8')
      .replaceAll(/,"sent":"[^"]+"/g, '')
      .trimEnd()
      .split('\n');
    writeFileSync(file, `${[first, first, ...others].join('\n')}\n`);
    const { id } = served.store.scores.ofTrace((JSON.parse(first!) as { trace: string }).trace)[0]!;
    served.store.scores.save({ id, name: 'entity_precision', value: 0.5 });
    const { summary } = await run(backend);
    expect(summary.published).toMatchObject({ found: summary.published!.expected });
    expect(served.store.scores.get(id)?.value).not.toBe(0.5);
  }, 60_000);
});

describe('--only-failed', () => {
  const RULES = "if (!isFixed() && (id === 'item-2' || id === 'item-5')) throw new Error('out of memory');";

  it('takes the place of what failed, also where rows are kept by their start', async () => {
    for (const generation of [4, 3, 'both'] as const) {
      rmSync(join(folder, 'fixed'), { force: true });
      rmSync(join(folder, 'run'), { recursive: true, force: true });
      const langfuse = await server({ generation, keysByStart: true });
      const backend = await quickBackend(langfuse);
      await makeItems(backend, 6);
      writeTarget(RULES);
      const errors = (): number =>
        [...langfuse.kept.spans.values()].filter(
          ({ attributes }) => attributes['langfuse.observation.level'] === 'ERROR',
        ).length;
      await run(backend);
      // A root and a call each.
      expect(errors()).toBe(4);
      expect(langfuse.kept.spans.size).toBe(12);
      writeFileSync(join(folder, 'fixed'), '');
      const { summary } = await run(backend, {}, true);
      expect(summary).toMatchObject({ answered: 6, failed: 0 });
      expect(errors()).toBe(0);
      // And the two attempts that failed, as events that warn.
      expect(langfuse.kept.spans.size).toBe(14);
      const events = [...langfuse.kept.spans.values()].filter(({ name }) => name === 'attempt 1');
      expect(events.map(({ attributes }) => attributes['langfuse.observation.status_message'])).toEqual([
        'program: Error: out of memory',
        'program: Error: out of memory',
      ]);
      expect(langfuse.kept.runItems).toHaveLength(generation === 4 ? 0 : 6);
      const days = [...langfuse.kept.scores.values()].filter(({ name }) => name === 'error');
      expect(days.map(({ value }) => value)).toEqual([0, 0]);
    }
  }, 60_000);

  it.each([3, 4, 'both'] as const)(
    'does so in the embedded server, generation %s',
    async (generation) => {
      const served = await serving({ generation });
      const backend = await quickBackend(served);
      await makeItems(backend, 6);
      writeTarget(RULES);
      const errors = (): number =>
        served.store.traces.listObservations({ level: 'ERROR' }, { page: 1, limit: 100 }).rows.length;
      for (const expected of [4, 0]) {
        const { summary } = await run(backend, {}, expected === 0);
        expect(summary.published).toMatchObject({ problem: null, found: { traces: 6 } });
        expect(errors()).toBe(expected);
        const { rows } = served.store.scores.list({ names: ['error'] }, { page: 1, limit: 100 });
        expect(rows.map(({ value }) => value)).toEqual(expected === 0 ? [0, 0] : [1, 1]);
        writeFileSync(join(folder, 'fixed'), '');
      }
    },
    60_000,
  );
});

describe('what an experiment says of its traces', () => {
  const FIELDS = {
    sessionId: 'nightly-42',
    userId: 'ann',
    tags: ['nightly', 'graph, v2'],
    release: '1.4.0',
    environment: 'staging',
    metadata: { team: 'archive', deep: { n: 1 } },
  };

  it('is on every span and score, and is sent again, without a call, where it changes', async () => {
    const langfuse = await server({ generation: 4 });
    const backend = await quickBackend(langfuse);
    await makeItems(backend, 2);
    writeTarget("if (isFixed()) throw new Error('asked again');");
    const { summary } = await run(backend, FIELDS);
    expect(summary.traces).toEqual(FIELDS);
    const attributes = () => [...langfuse.kept.spans.values()].map((span) => span.attributes);
    expect(attributes()).toHaveLength(4);
    for (const one of attributes())
      expect(one).toMatchObject({
        'session.id': 'nightly-42',
        'user.id': 'ann',
        'langfuse.trace.tags': '["nightly","graph, v2"]',
        'langfuse.release': '1.4.0',
        'langfuse.environment': 'staging',
        'langfuse.trace.metadata.team': 'archive',
        'langfuse.trace.metadata.deep': '{"n":1}',
        'langfuse.trace.metadata.target': 'module',
      });
    const metadata = JSON.parse(String(attributes()[0]!['langfuse.experiment.metadata'])) as Record<string, unknown>;
    expect(metadata).toMatchObject({ team: 'archive', target: 'module' });
    expect([...langfuse.kept.scores.values()].every(({ environment }) => environment === 'staging')).toBe(true);
    // From here on a call would fail.
    writeFileSync(join(folder, 'fixed'), '');
    const again = await run(backend, { ...FIELDS, tags: ['weekly'] });
    expect(again.summary).toMatchObject({ answered: 2, added: 0 });
    for (const one of attributes()) {
      expect(one['langfuse.trace.tags']).toBe('["weekly"]');
      expect((JSON.parse(String(one['langfuse.experiment.metadata'])) as typeof metadata)['signature']).toBe(
        metadata['signature'],
      );
    }
  }, 60_000);

  it('is shown by the embedded server and kept by the local store alike', async () => {
    const served = await serving();
    const local = localBackend(join(folder, 'local'));
    for (const backend of [await quickBackend(served), local]) {
      await makeItems(backend, 1);
      writeTarget();
      const { summary } = await run(backend, { ...FIELDS, out: join(folder, `run-${backend.kind}`) });
      expect(summary.published).toMatchObject({ problem: null, found: summary.published!.expected });
    }
    await local.close();
    const localStore = openStore(join(folder, 'local'));
    for (const one of [served.store, localStore]) {
      const [trace] = one.traces.list({}, { page: 1, limit: 10 }).rows;
      expect(trace).toMatchObject({ ...FIELDS, metadata: { ...FIELDS.metadata, target: 'module', repeat: 1 } });
    }
    localStore.close();
  }, 60_000);

  it('is refused where Langfuse would drop it', () => {
    const file = join(folder, 'experiment.yaml');
    const refused = (fields: Record<string, unknown>): string => {
      const named = { name: 'n', dataset: 'd', target: { use: 'recorded', answers: 'a' } };
      writeFileSync(file, JSON.stringify({ ...named, ...fields }));
      try {
        loadExperiment(file, {});
      } catch (error) {
        return error instanceof InputError ? error.problems.map(({ message }) => message).join('; ') : String(error);
      }
      return 'taken';
    };
    const environment = 'expected at most 40 lowercase letters, digits, - and _, not beginning with "langfuse"';
    for (const bad of ['Production', 'langfuse-x', 'a b', '', 'a'.repeat(41)])
      expect(refused({ environment: bad })).toBe(environment);
    for (const good of ['production', 'a'.repeat(40), 'not-langfuse', 'eu_1'])
      expect(refused({ environment: good })).toBe('taken');
    expect(refused({ metadata: { signature: 'x' } })).toBe('this key is written by Assay itself: choose another name');
    expect(refused({ sessionId: 'x'.repeat(201) })).not.toBe('taken');
    expect(refused({ tags: 'nightly' })).toBe('expected a list, found "nightly"');
  });
});

function spanCount(body: Readonly<Record<string, unknown>>): number {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)).length;
}
