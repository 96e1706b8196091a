import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { MeasureValue } from '../../src/measure/tally.ts';
import type { LedgerRecord } from '../../src/score/ledger.ts';
import type { Manifest, Measures, RuleCount, Run } from '../../src/score/run.ts';

/** A folder of the test's own, gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function measure(name: string, value: number | null, more: Partial<MeasureValue> = {}): MeasureValue {
  return {
    name,
    slice: {},
    value,
    undefined: null,
    n: 10,
    units: 5,
    interval: null,
    noInterval: 'not asked for',
    direction: 'higher',
    range: [0, 1],
    note: null,
    cases: null,
    ...more,
  };
}

export function rule(made: RuleCount['verdict'], name: string, n: number, more: Partial<RuleCount> = {}): RuleCount {
  return { scheme: null, kind: 'span', verdict: made, rule: name, label: 'LOC', n, ...more };
}

export interface RunParts {
  readonly folder?: string;
  readonly manifest?: Partial<Manifest>;
  readonly recipe?: Partial<Manifest['recipe']>;
  readonly resolved?: Readonly<Record<string, unknown>>;
  readonly measures?: Partial<Measures>;
  readonly worst?: Run['worst'];
}

const PLAIN_MEASURES = {
  precision: { of: 'precision', kind: null, require: [], countExcused: false },
  recall: { of: 'recall', kind: null, require: [] },
  f1: { of: 'f1', kind: null, require: [], beta: 1 },
};

/** A run of spans with nothing special about it, to be changed where a test needs it. */
export function madeUpRun(parts: RunParts = {}): Run {
  return {
    folder: parts.folder ?? 'runs/a',
    worst: parts.worst ?? [],
    measures: {
      signature: 'assay:0|task:pii',
      cases: { total: 4, failed: 0, unanswered: 0 },
      measures: [],
      rules: [],
      confusion: [],
      ungrounded: { total: 0, shown: [] },
      ...parts.measures,
    },
    manifest: {
      format: 2,
      assay: '0.1.0',
      signature: 'assay:0|task:pii',
      comparable: 'assay:0|task:pii',
      task: 'pii',
      recipe: {
        name: 'pii/mine',
        about: 'Spans',
        set: [],
        resolved: {
          task: 'pii',
          data: { offsets: 'codepoint' },
          pair: { span: { accept: [{ name: 'pair' }], unit: 'item' } },
          measure: PLAIN_MEASURES,
          ...parts.resolved,
        },
        ...parts.recipe,
      },
      inputs: [],
      notices: {
        unansweredCases: 0,
        unknownLabelsKept: 0,
        unknownCasesAsSpurious: 0,
        badSpansAsSpurious: 0,
        uncheckedSpans: 0,
      },
      outputs: {},
      ...parts.manifest,
    },
  };
}

export interface CaseLine {
  readonly case: string;
  readonly counts: { hit: number; missed: number; spurious: number; excused: number };
  readonly measures?: Record<string, number | null>;
  readonly [more: string]: unknown;
}

/** Writes a run folder by hand, as `assay score` would, and returns its path. */
export function writeRun(
  parts: RunParts,
  cases: readonly CaseLine[],
  ledger: readonly LedgerRecord[],
  files: readonly { role: 'cases' | 'gold' | 'predictions'; path: string | null; content: string }[] = [],
): string {
  const folder = join(parts.folder ?? temporaryFolder(), 'run');
  mkdirSync(folder, { recursive: true });
  const run = madeUpRun({
    ...parts,
    manifest: {
      outputs: { 'ledger.jsonl': { rows: ledger.length }, 'cases.jsonl': { rows: cases.length } },
      inputs: files.map(({ role, path, content }) => ({
        role,
        name: path?.split('/').at(-1) ?? 'standard input',
        format: 'spans',
        sha256: sha256(content),
        bytes: Buffer.byteLength(content),
        rows: 1,
      })),
      ...parts.manifest,
    },
  });
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const contents = {
    'measures.json': JSON.stringify(run.measures),
    'cases.jsonl': lines(cases.map((one) => ({ measures: {}, ...one }))),
    'ledger.jsonl': lines(ledger),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  const listed = Object.entries(contents).map(([name, content]) => [
    name,
    { sha256: sha256(content), bytes: Buffer.byteLength(content) },
  ]);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files: Object.fromEntries(listed), ...run.manifest }));
  writeFileSync(
    join(folder, 'timing.json'),
    JSON.stringify({ paths: files.map(({ role, path }) => ({ role, path })) }),
  );
  return folder;
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Makes a run one that was scored before manifests listed the files with their hashes. */
export function withoutHashes(folder: string): void {
  const file = join(folder, 'manifest.json');
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...(manifest as Manifest), files: undefined }));
}

/** One line of a ledger. */
export function verdict(given: Partial<LedgerRecord> & Pick<LedgerRecord, 'verdict'>): LedgerRecord {
  return { case: 'A', kind: 'span', rule: given.verdict === 'hit' ? 'pair' : 'no-match', label: 'LOC', ...given };
}

/** The parts of a text that a terminal would act on, apart from line breaks and our own colours. */
export function dangerous(text: string): string[] {
  const plain = text.replaceAll(/\u001b\[(?:1|2|22|31|32|33|39)m/g, '');
  return plain.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/g) ?? [];
}

/** Text that tries to clear the screen, set the title, hide itself and break tables. */
export const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007|<img src=x onerror=alert(1)>\n# b\u202Egpj.exe\r`*[x](y)';
