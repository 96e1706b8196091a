import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe } from 'vitest';

import { presetAliases, presetNames } from '../../src/recipe/presets.ts';
import { ROOT } from '../cli/run-assay.ts';
import { noReference, referenceJson } from '../reference/reference-data.ts';
import { type GoldenCommand, goldenTests } from './golden-net.ts';

/** Relative to the repository, so that no name of a folder is in what is compared. */
const REFERENCE = '../shared/reference';
const RUN = '--set interval.resamples=300 --no-report --quiet --out OUT/run';

const presets = (task: string): string[] =>
  presetNames()
    .flatMap((name) => [name, ...presetAliases(name)])
    .filter((name) => name.startsWith(`${task}/`));

function score(name: string, recipe: string, files: string): GoldenCommand {
  return { name: name.replaceAll('/', '-'), line: `score ${recipe} ${files} ${RUN}` };
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
  const journal = (system: string): string =>
    `--cases ${REFERENCE}/journal/journals.jsonl --gold ${REFERENCE}/journal/gold.jsonl ` +
    `--predictions ${REFERENCE}/journal/${system}_predictions.jsonl`;
  const systems = ['ayurmind', 'single_agent_rag', 'vanilla_llm']
    .map((system) => `--predictions ${REFERENCE}/consult/results_${system}.jsonl`)
    .join(' ');
  const repeated = `${REFERENCE}/journal/repeated_runs`;
  return [
    ...presets('journal').flatMap((preset) => [
      ...['sample', 'weak', 'copied_gold'].map((system) => score(`${preset}-${system}`, preset, journal(system))),
      score(
        `${preset}-vectors`,
        preset,
        `--cases ${vectors}/journals.jsonl --gold ${vectors}/gold.jsonl --predictions ${vectors}/predictions.jsonl`,
      ),
    ]),
    ...presets('graph').map((preset) =>
      score(`${preset}-vectors`, preset, `--gold ${vectors}/items.jsonl --predictions ${vectors}/outputs.jsonl`),
    ),
    ...presets('consult').map((preset) =>
      score(preset, preset, `--cases ${REFERENCE}/consult/evaluation_cases.csv ${systems}`),
    ),
    // What other tools wrote, against itself: read, or refused with exit code 2.
    ...globSync('*/*.{json,jsonl,bdocjs,iob,iob2,conllu,tsv,txt,ann}', { cwd: join(ROOT, REFERENCE, 'formats') })
      .sort()
      .flatMap((file) =>
        ['pii/strict', 'graph/openspec'].map((preset) => {
          const path = `${REFERENCE}/formats/${file}`;
          return score(`${preset}-${file}`, preset, `--gold ${path} --predictions ${path}`);
        }),
      ),
    {
      name: 'repeats',
      line:
        `repeats --recipe journal/ashwam --cases ${repeated}/journals.jsonl --predictions ${repeated}/run1.jsonl ` +
        `--predictions ${repeated}/run2.jsonl --predictions ${repeated}/run3.jsonl --json`,
    },
    {
      name: 'stream-measure',
      line:
        `stream measure --traces ${REFERENCE}/stream/traces --runs ${REFERENCE}/stream/runs ` +
        `--concepts vocabulary --force --as-published ${RUN}`,
    },
    {
      name: 'stream-calibrate',
      line: `stream calibrate --runs ${REFERENCE}/stream/runs --quiet --out OUT/calibration`,
    },
  ];
}

describe.skipIf(noReference)('golden net: the reference data', () => {
  const vectors = mkdtempSync(join(tmpdir(), 'assay-vectors-'));
  if (!noReference) vectorFiles(vectors);
  goldenTests('reference', commands(vectors));
  afterAll(() => rmSync(vectors, { recursive: true, force: true }));
});
