/**
 * The golden net: whole commands, and a hash of every byte they wrote. What is recorded here was right, so a difference
 * is either a fault or an intended change, which is a commit of its own that records again:
 *   GOLDEN=record npx vitest run --project main test/golden
 * GOLDEN_OUT=FOLDER keeps what was written, so that two versions can be compared with diff.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { assayHere } from '../cli/assay-here.ts';
import { ROOT } from '../cli/run-assay.ts';

export interface GoldenCommand {
  /** Unique; also the folder that OUT stands for in the arguments. */
  readonly name: string;
  /** The arguments, with spaces between. OUT is the folder of this command, @NAME that of an earlier one; && between calls. */
  readonly line: string;
}

/** What a command left: its exit code, and a hash for its standard output and for each file. */
type Trace = Readonly<Record<string, string | number>>;

const RECORDED = join(import.meta.dirname, 'recorded');

/** Texts, layout and what a run is called may change; times do at every run. */
const NOT_COMPARED =
  /(?:^|\/)(?:(?:timing|about)\.json|(?:[a-z0-9_]+_)?report\.(?:html|md)|[^/]*\.svg|[^/]*\.sqlite[^/]*)$/;

/** What a run of an experiment notes of itself, and the fields of it that no two runs share. */
const NOTES = /(?:^|\/)(?:experiment\.json|log\.jsonl|published\.jsonl|summary\.json)$/;
const OWN_FIELDS = new Set(['id', 'trace', 'folder', 'at', 'startedAt', 'endedAt', 'seconds', 'latencyMs', 'latency']);

/** Registers a test for every command; each runs in the order given, in one folder. */
export function goldenTests(group: string, commands: readonly GoldenCommand[]): void {
  const kept = process.env['GOLDEN_OUT'];
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'assay-golden-')) : join(kept, group);
  const file = join(RECORDED, `${group}.json`);
  const recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Trace>) : {};
  const traces: Record<string, Trace> = {};

  test.each(commands)('$name', async ({ name, line }) => {
    const out = join(folder, name);
    mkdirSync(out, { recursive: true });
    let said = '';
    for (const call of line.split(' && ')) {
      const args = call
        .split(' ')
        .map((arg) => arg.replace(/^OUT/, out).replace(/^@([^/]+\/[^/]+)/, (_, other: string) => join(folder, other)));
      const env = { ASSAY_DATA: join(folder, '.assay') };
      const { code, stdout, stderr } = await assayHere(args, { cwd: ROOT, env });
      traces[name] = trace(out, folder, code, args.includes('--json') ? stdout : '');
      said += stderr;
    }
    if (process.env['GOLDEN'] === 'record') return;
    expect(traces[name], `${line}\n${said}`).toEqual(recorded[name]);
  });

  test.skipIf(process.env['GOLDEN'] === 'record')('every recorded command is run', () => {
    expect(commands.map(({ name }) => name).sort()).toEqual(Object.keys(recorded).sort());
  });

  afterAll(() => {
    if (process.env['GOLDEN'] === 'record') {
      mkdirSync(RECORDED, { recursive: true });
      writeFileSync(file, `${JSON.stringify(traces, null, 2)}\n`);
    }
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  });
}

function trace(out: string, folder: string, code: number | null, stdout: string): Trace {
  const entries: [string, string | number][] = [['exit', code ?? -1]];
  if (stdout !== '') entries.push(['stdout', hash(stdout.replaceAll(folder, ''))]);
  for (const path of globSync('**', { cwd: out }).sort()) {
    const whole = join(out, path);
    if (statSync(whole).isFile() && !NOT_COMPARED.test(path))
      entries.push([path, hash(bytesOf(whole).replaceAll(folder, ''))]);
  }
  return Object.fromEntries(entries);
}

/** Notes of a run come in the order of the answers, which is that of the clock. */
function bytesOf(file: string): string {
  const bytes = readFileSync(file, 'latin1');
  if (!NOTES.test(file)) return bytes;
  const plain = (text: string): string =>
    JSON.stringify(JSON.parse(text, (key, value: unknown) => (OWN_FIELDS.has(key) ? undefined : value)));
  return file.endsWith('l') ? bytes.trim().split('\n').map(plain).sort().join('\n') : plain(bytes);
}

function hash(bytes: string): string {
  return createHash('sha256').update(bytes, 'latin1').digest('hex').slice(0, 16);
}
