/** Items of the graph task with recorded answers, and `assay` as a fresh process that reports what it took. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord } from '../src/data/record-fields.ts';

const NAMES = [
  'Ada Quell',
  'Bora Lind',
  'Cem Aydin',
  'Dita Voss',
  'Egon Falk',
  'Fiona Reyes',
  'Goran Petrov',
  'Hana Ito',
];
const PLACES = ['Porto Alba', 'Norrvik', 'Tall Mesa', 'Lac Bleu', 'Osterau'];
const TYPES = ['lives_in', 'works_for', 'married_to', 'visited'];
const FILLER =
  'It rained all morning, the ferry was late again and nobody at the harbour could say when it would leave. ';

/** Writes items.jsonl and answers.jsonl, and returns how many entities and relationships both have together. */
export function writeRecorded(folder: string, items: number): number {
  let written = 0;
  writeLines(join(folder, 'items.jsonl'), items, (number) => {
    const { item } = itemAt(number);
    written += item.expectedOutput.entities.length + item.expectedOutput.relationships.length;
    return item;
  });
  writeLines(join(folder, 'answers.jsonl'), items, (number) => {
    const { answer } = itemAt(number);
    written += answer.output.entities.length + answer.output.relationships.length;
    return answer;
  });
  return written;
}

/** A document of about 1 KB with six entities and five relationships, of which the answer gets most. */
function itemAt(number: number) {
  const id = `i${String(number).padStart(6, '0')}`;
  const people = [0, 1, 2, 3].map((at) => NAMES[(number * 3 + at * (1 + (number % 2))) % NAMES.length]!);
  const places = [0, 1].map((at) => PLACES[(number + at) % PLACES.length]!);
  const entities = [
    ...people.map((name) => ({ name, type: 'Person' })),
    ...places.map((name) => ({ name, type: 'Place' })),
  ];
  const relationships = [0, 1, 2, 3, 4].map((at) => ({
    source_name: people[at % people.length]!,
    target_name: at < 2 ? places[at]! : people[(at + 1) % people.length]!,
    relationship_type: TYPES[(number + at) % TYPES.length]!,
  }));
  const told = relationships.map((one) => `${one.source_name} ${one.relationship_type} ${one.target_name}. `).join('');
  const found = entities.filter((_, at) => (number + at) % 7 !== 0);
  return {
    item: {
      id,
      input: { document_text: `Report ${number}. ${told}${FILLER.repeat(7)}` },
      expectedOutput: { entities, relationships },
      metadata: { difficulty: number % 3 },
    },
    answer: {
      id,
      output: {
        entities: found.map((one, at) => ({ temp_id: `e${at}`, ...one })),
        relationships: relationships
          .filter((_, at) => (number + at) % 5 !== 0)
          .map((one) => ({ source_ref: one.source_name, target_ref: one.target_name, type: one.relationship_type })),
      },
      usage: { inputTokens: 260, outputTokens: 120, cost: null },
    },
  };
}

function writeLines(file: string, count: number, lineOf: (number: number) => object): void {
  const descriptor = openSync(file, 'w');
  for (let number = 0; number < count; number += 1) writeSync(descriptor, `${JSON.stringify(lineOf(number))}\n`);
  closeSync(descriptor);
}

export interface Measured {
  readonly seconds: number;
  /** Of all its threads, in user and system mode: on a shared machine the better number. */
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

/** A fresh process of the command line of a checkout; what it says of itself is written aside when it ends. */
export function assay(root: string, folder: string, ...args: readonly string[]): Measured {
  const file = join(folder, 'usage.json');
  const report = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.resourceUsage())));`;
  const started = performance.now();
  const { status, signal, error, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(report)}`, join(root, 'bin/assay.js'), ...args],
    { cwd: folder, encoding: 'utf8', env: environment(), maxBuffer: 1 << 28 },
  );
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0)
    throw new Error(`assay ${args.join(' ')} ended with ${status ?? signal ?? 'nothing'}\n${stdout}${stderr}`, {
      cause: error,
    });
  const { maxRSS, userCPUTime, systemCPUTime } = usageIn(file);
  return { seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMiB: maxRSS / 1024 };
}

function usageIn(file: string): Record<'maxRSS' | 'userCPUTime' | 'systemCPUTime', number> {
  const usage: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const number = (name: string): number => Number(isRecord(usage) ? usage[name] : NaN);
  return {
    maxRSS: number('maxRSS'),
    userCPUTime: number('userCPUTime'),
    systemCPUTime: number('systemCPUTime'),
  };
}

/** The local store, whatever is set here. */
function environment(): NodeJS.ProcessEnv {
  const { LANGFUSE_PUBLIC_KEY: _, LANGFUSE_SECRET_KEY: __, ASSAY_DATA: ___, ...rest } = process.env;
  return rest;
}
