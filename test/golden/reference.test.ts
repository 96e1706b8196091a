import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe } from 'vitest';

import { presetNames } from '../../src/recipe/presets.ts';
import { ROOT } from '../cli/run-assay.ts';
import { noReference, referenceJson } from '../reference/reference-data.ts';
import { type GoldenCommand, goldenTests } from './golden-net.ts';

/** Relative to the repository, so that no name of a folder is in what is compared. */
const REFERENCE = '../shared/reference';
const RUN = ['--set', 'interval.resamples=1000', '--no-report', '--quiet', '--out', 'OUT/run'];

const presets = (task: string): string[] => presetNames().filter((name) => name.startsWith(`${task}/`));

function score(name: string, recipe: string, ...args: readonly string[]): GoldenCommand {
  return { name, args: ['score', recipe, ...args, ...RUN] };
}

/** The cases of a file of vectors as the files that a user would have. */
function vectorFiles(folder: string): void {
  const lines = (name: string, records: readonly object[]): void =>
    writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const of = (task: string) => (referenceJson(`${task}/vectors.json`) as { cases: Record<string, unknown>[] }).cases;
  const journal = of('journal').map((vector, at) => ({ id: `v${at}`, vector }));
  lines(
    'journals.jsonl',
    journal.map(({ id, vector }) => ({ journal_id: id, text: vector['text'] })),
  );
  lines(
    'gold.jsonl',
    journal.map(({ id, vector }) => ({ journal_id: id, items: vector['gold'] })),
  );
  lines(
    'predictions.jsonl',
    journal.map(({ id, vector }) => ({ journal_id: id, items: vector['pred'] })),
  );
  const graph = of('graph').map((vector, at) => ({ id: `v${at}`, vector }));
  lines(
    'items.jsonl',
    graph.map(({ id, vector }) => ({ id, input: {}, expected_output: vector['expected_output'] })),
  );
  lines(
    'outputs.jsonl',
    graph.map(({ id, vector }) => ({
      id,
      output: { entities: vector['extracted_entities'], relationships: vector['extracted_relationships'] },
    })),
  );
}

function commands(vectors: string): GoldenCommand[] {
  const journal = (name: string) => `${REFERENCE}/journal/${name}.jsonl`;
  const consult = ['ayurmind', 'single_agent_rag', 'vanilla_llm'].flatMap((system) => [
    '--predictions',
    `${REFERENCE}/consult/results_${system}.jsonl`,
  ]);
  return [
    ...presets('journal').flatMap((preset) => [
      ...['sample', 'weak', 'copied_gold'].map((system) =>
        score(
          `${preset.replace('/', '-')}-${system}`,
          preset,
          ...['--cases', journal('journals'), '--gold', journal('gold')],
          ...['--predictions', journal(`${system}_predictions`)],
        ),
      ),
      score(
        `${preset.replace('/', '-')}-vectors`,
        preset,
        ...['--cases', join(vectors, 'journals.jsonl'), '--gold', join(vectors, 'gold.jsonl')],
        ...['--predictions', join(vectors, 'predictions.jsonl')],
      ),
    ]),
    ...presets('graph').map((preset) =>
      score(
        `${preset.replace('/', '-')}-vectors`,
        preset,
        ...['--gold', join(vectors, 'items.jsonl'), '--predictions', join(vectors, 'outputs.jsonl')],
      ),
    ),
    ...presets('consult').map((preset) =>
      score(preset.replace('/', '-'), preset, '--cases', `${REFERENCE}/consult/evaluation_cases.csv`, ...consult),
    ),
    // What other tools wrote, against itself: read, or refused with exit code 2.
    ...globSync('*/*.{json,jsonl,bdocjs,iob,iob2,conllu,tsv,txt,ann}', { cwd: `${ROOT}${REFERENCE}/formats` })
      .sort()
      .flatMap((file) =>
        ['pii/strict', 'graph/openspec'].map((preset) => {
          const path = `${REFERENCE}/formats/${file}`;
          return score(`${preset}-${file}`.replaceAll('/', '-'), preset, '--gold', path, '--predictions', path);
        }),
      ),
    {
      name: 'repeats',
      args: [
        ...['repeats', '--recipe', 'journal/ashwam', '--cases', `${REFERENCE}/journal/repeated_runs/journals.jsonl`],
        ...[1, 2, 3].flatMap((run) => ['--predictions', `${REFERENCE}/journal/repeated_runs/run${run}.jsonl`]),
        '--json',
      ],
    },
    {
      name: 'stream-measure',
      args: [
        ...['stream', 'measure', '--traces', `${REFERENCE}/stream/traces`, '--runs', `${REFERENCE}/stream/runs`],
        ...['--force', '--as-published', ...RUN],
      ],
    },
    {
      name: 'stream-calibrate',
      args: ['stream', 'calibrate', '--runs', `${REFERENCE}/stream/runs`, '--quiet', '--out', 'OUT/calibration'],
    },
  ];
}

describe.skipIf(noReference)('golden net: the reference data', () => {
  const vectors = mkdtempSync(join(tmpdir(), 'assay-vectors-'));
  if (!noReference) vectorFiles(vectors);
  goldenTests('reference', commands(vectors));
  afterAll(() => rmSync(vectors, { recursive: true, force: true }));
});
