import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { traceText } from '../stream/made-trace.ts';
import { assayHere } from './assay-here.ts';
import type { Finished } from './run-assay.ts';

const SENTENCES = [
  'The patient reports fever, cough and chest pain since Monday.',
  ' Auscultation finds crackles over the left base.',
  ' Pneumonia is more likely than pulmonary embolism, and heart failure cannot be excluded.',
  ' A chest film and a troponin should be ordered now.',
];

/** Traces of a few turns each, with as many deltas as it takes for the gate to work. */
export function writeTraces(folder: string, cases: number, turns = 6): string {
  const traces = join(folder, 'traces');
  mkdirSync(traces);
  for (let at = 0; at < cases; at += 1) {
    const id = `case-${String(at).padStart(3, '0')}`;
    const spoken = Array.from({ length: turns }, (_, turn) => ({
      agent: `doctor${turn % 2}`,
      deltas: Array.from({ length: 24 }, (_delta, piece): [string, number] => [
        SENTENCES[(piece + at) % SENTENCES.length]!,
        turn * 3000 + piece * 90,
      ]),
    }));
    writeFileSync(join(traces, `${id}.trace.jsonl`), traceText(id, spoken));
  }
  return traces;
}

/** `assay stream …` in this process; flags are parted by spaces. */
export function stream(cwd: string, words: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return assayHere(['stream', ...words.split(' ')], { cwd, env });
}

/** Every file below a folder, by name, as text that can be compared. */
export function files(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(root, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(root, name)).toString('base64')]),
  );
}
