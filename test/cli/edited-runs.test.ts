import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { JOURNAL, ROOT } from './run-assay.ts';
import { runBytes } from './run-files.ts';

const RULES = 'rules:\n  - { measure: f1, atLeast: 0.99 }\n';

interface Files {
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

let scored: Record<string, string>;
let folder: string;

async function assay(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await assayHere(args, { cwd: folder });
}

/** The run as it was scored, under another name. */
function copy(name: string): string {
  const place = join(folder, name);
  cpSync(join(folder, 'run'), place, { recursive: true });
  return place;
}

function edit(place: string, file: string, change: (text: string) => string): void {
  const path = join(place, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

/** Every measure perfect, as somebody would write who wants to pass. */
const perfect = (text: string): string => text.replaceAll(/"value":0\.\d+/g, '"value":1');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-edited-'));
  writeFileSync(join(folder, 'gate.yaml'), RULES);
  writeFileSync(join(folder, 'margin.yaml'), 'rules:\n  - { measure: f1, notWorseThan: { margin: 0.02 } }\n');
  for (const name of ['run', 'again']) {
    const { code, stderr } = await assayHere([...JOURNAL, '--out', join(folder, name), '--quiet'], { cwd: ROOT });
    if (code !== 0) throw new Error(stderr);
  }
  scored = runBytes(join(folder, 'run'));
  return () => rmSync(folder, { recursive: true, force: true });
});

describe('files of a run that were edited', () => {
  it('are known by the sha256 and the bytes that the manifest has of each', () => {
    const { files } = JSON.parse(scored['manifest.json']!) as Files;
    expect(Object.keys(files)).toEqual(['audit.json', 'cases.jsonl', 'figures.json', 'ledger.jsonl', 'measures.json']);
    for (const [file, { sha256, bytes }] of Object.entries(files)) {
      const stored = readFileSync(join(folder, 'run', file));
      expect(sha256, file).toBe(createHash('sha256').update(stored).digest('hex'));
      expect(bytes, file).toBe(stored.length);
    }
  });

  it('leaves a run the same bytes when it is scored again', () => {
    expect(runBytes(join(folder, 'again'))).toEqual(scored);
  });

  it('measures.json: no gate is passed, and every command says which file it was', async () => {
    expect((await assay('gate', 'run', '--quiet')).code).toBe(1);
    const place = copy('measures');
    edit(place, 'measures.json', perfect);
    for (const command of [
      ['gate', 'measures'],
      ['gate', 'run', '--baseline', 'measures', '--rules', 'margin.yaml'],
      ['compare', 'run', 'measures'],
      ['report', 'measures'],
      ['report', 'measures', '--out', 'page.html'],
      ['audit', 'measures'],
      ['explain', 'measures'],
      ['waterfall', 'measures'],
      ['repeats', 'run', 'measures'],
      ['sweep', 'measures', '--over', 'pair.object.min=0.1,0.5'],
      [...JOURNAL, '--baseline', 'measures', '--out', 'new'],
    ]) {
      const { code, stderr } = await assay(...command);
      expect(code, command.join(' ')).toBe(2);
      expect(stderr, command.join(' ')).toContain('measures.json');
      expect(stderr, command.join(' ')).toContain('was changed');
    }
  });

  it.each([
    ['cases.jsonl', ['gate', 'compare', 'report', 'audit', 'explain']],
    ['ledger.jsonl', ['gate', 'compare', 'report', 'audit', 'explain']],
    ['audit.json', ['report']],
    ['figures.json', ['audit', 'waterfall']],
  ])('%s', async (file, commands) => {
    const place = copy(`edited-${file}`);
    // A number that is somewhere in each: its last digit is another one.
    edit(place, file, (text) =>
      text.replace(/(\d)(?=[,}\n]+)(?!.*\d[,}\n]+)/s, (digit) => String((Number(digit) + 1) % 10)),
    );
    for (const command of commands) {
      const { code, stderr } = await assay(command, ...(command === 'compare' ? ['run'] : []), `edited-${file}`);
      expect(code, command).toBe(2);
      expect(stderr, command).toContain(join(`edited-${file}`, file));
    }
  });

  it('a file that was taken away, or put in', async () => {
    const gone = copy('gone');
    rmSync(join(gone, 'audit.json'));
    const without = await assay('report', 'gone');
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('audit.json: this file of the run is missing');
    const place = copy('put-in');
    edit(place, 'manifest.json', (text) => {
      const { files, ...rest } = JSON.parse(text) as Files;
      const { 'audit.json': _, ...others } = files;
      return JSON.stringify({ ...rest, files: others });
    });
    expect((await assay('report', 'put-in')).stderr).toContain('audit.json: the manifest does not list this file');
  });

  it('a run scored before there were hashes is added up again, and says so', async () => {
    const old = (name: string): string => {
      const place = copy(name);
      edit(place, 'manifest.json', (text) => JSON.stringify({ ...(JSON.parse(text) as object), files: undefined }));
      return place;
    };
    old('old');
    for (const command of [
      ['gate', 'old'],
      ['report', 'old'],
      ['audit', 'old'],
      ['compare', 'run', 'old', '--force'],
    ]) {
      const { code, stdout, stderr } = await assay(...command);
      expect([0, 1], command.join(' ')).toContain(code);
      expect(`${stderr}${stdout}`.replaceAll(/\s+/g, ' '), command.join(' ')).toContain(
        'old was scored before runs held hashes',
      );
    }
    edit(old('old-edited'), 'measures.json', perfect);
    for (const command of ['gate', 'audit']) {
      const { code, stderr } = await assay(command, 'old-edited');
      expect(code).toBe(2);
      expect(stderr).toMatch(/measures\.json: "\w+" is 1, but the ledger adds up to 0\.\d+/);
    }
  });

  it('reads what it does not list: the page and the summary may be made again', async () => {
    const place = copy('presented');
    writeFileSync(join(place, 'report.md'), 'mine\n');
    expect((await assay('report', 'presented', '--format', 'html', '--quiet')).code).toBe(0);
    expect((await assay('report', 'presented')).code).toBe(0);
    expect(readdirSync(place)).toContain('report.html');
  });
});
