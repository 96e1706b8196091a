import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import type { FinishedRun } from '../../../src/experiment/run/finish-run.ts';
import { loadExperiment } from '../../../src/experiment/run/load-experiment.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
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
    const clock = fastClock(50);
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

function spanCount(body: Readonly<Record<string, unknown>>): number {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)).length;
}
