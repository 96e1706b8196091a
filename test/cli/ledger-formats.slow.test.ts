import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';

import { LEDGER_FORMATS } from '../../src/score/ledger-format.ts';
import { readLedger } from '../../src/score/run-file.ts';
import { assayHere } from './assay-here.ts';
import { ROOT } from './run-assay.ts';
import { withoutHashes } from '../report/made-up-run.ts';

const FILES: Readonly<Record<string, string>> = {
  jsonl: 'ledger.jsonl',
  gzip: 'ledger.jsonl.gz',
  zstd: 'ledger.jsonl.zst',
  parquet: 'ledger.parquet',
};
const DOCS = join(ROOT, 'examples/pii/docs.json');
let folder: string;

/** Each format in a folder of its own, so that the run has the same name in all. */
const at = (format: string): string => join(folder, format);
const assay = async (format: string, line: string) => assayHere(line.split(' '), { cwd: at(format) });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-formats-'));
  for (const format of LEDGER_FORMATS) {
    cpSync(DOCS, join(at(format), 'docs.json'));
    writeFileSync(join(at(format), 'gate.yaml'), 'rules:\n  - { measure: f1, atLeast: 0.5 }\n');
    for (const [out, recipe] of [
      ['run', 'pii/semeval'],
      ['tokens', 'pii/every-scheme'],
    ] as const) {
      const line = `score ${recipe} --cases docs.json --out ${out} --ledger ${format} --set interval.resamples=100 --quiet`;
      const { code, stderr } = await assay(format, line);
      if (code !== 0) throw new Error(stderr);
    }
  }
  return () => rmSync(folder, { recursive: true, force: true });
});

describe.each(LEDGER_FORMATS)('--ledger %s', (format) => {
  it('writes that file and no other ledger, and lists it', () => {
    const { outputs, files } = JSON.parse(readFileSync(join(at(format), 'run/manifest.json'), 'utf8')) as Record<
      string,
      object
    >;
    expect(Object.keys(outputs!).filter((name) => name.startsWith('ledger'))).toEqual([FILES[format]]);
    expect(Object.keys(files!).filter((name) => name.startsWith('ledger'))).toEqual([FILES[format]]);
  });

  it.each(['run', 'tokens'])('holds the same verdicts: %s', async (run) => {
    const plain = await Array.fromAsync(readLedger(join(at('jsonl'), run)));
    const records = await Array.fromAsync(readLedger(join(at(format), run)));
    expect(records.map((record) => JSON.stringify(record))).toEqual(plain.map((record) => JSON.stringify(record)));
    const some = new Set(['EX-002', 'EX-004']);
    expect(await Array.fromAsync(readLedger(join(at(format), run), some))).toEqual(
      plain.filter((record) => some.has(record.case)),
    );
  });

  it.each([
    'explain run --case EX-002',
    'explain run --scheme type',
    'compare run tokens --force --json',
    'gate run --json',
    'audit run --json',
    'report run',
    'waterfall run',
  ])('is read by %s', async (line) => {
    const expected = await assay('jsonl', line);
    expect(expected.stdout.length).toBeGreaterThan(0);
    expect(await assay(format, line)).toEqual(expected);
  });

  it('is what report.html is made from again', async () => {
    const pages: string[] = [];
    for (const own of ['jsonl', format]) {
      const { code } = await assay(own, 'report run --out again.html --quiet');
      expect(code).toBe(0);
      // The cases; the head lists the files of the run.
      pages.push(/id="assay-page-0">([^<]+)/.exec(readFileSync(join(at(own), 'again.html'), 'utf8'))![1]!);
    }
    expect(pages[1] === pages[0]).toBe(true);
  });

  it('is refused if it was cut off', async () => {
    const copy = join(at(format), 'cut');
    cpSync(join(at(format), 'run'), copy, { recursive: true });
    const file = join(copy, FILES[format]!);
    truncateSync(file, statSync(file).size - 20);
    const { code, stderr } = await assay(format, 'explain cut');
    expect([code, stderr]).toEqual([2, expect.stringContaining(FILES[format]!)]);
    withoutHashes(copy);
    expect(await assay(format, 'gate cut')).toMatchObject({ code: 2 });
  });
});

it.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('a %s ledger that would fill the memory is not decompressed to its end', async (format, compress) => {
  const copy = join(at(format), 'bomb');
  cpSync(join(at(format), 'run'), copy, { recursive: true });
  withoutHashes(copy);
  writeFileSync(join(copy, FILES[format]!), compress(Buffer.alloc(1 << 26, 'a')));
  const { code, stderr } = await assay(format, 'gate bomb');
  expect([code, stderr]).toEqual([2, expect.stringContaining('decompresses to far more than a ledger would')]);
});

it('--ledger needs a folder to be in, and a format that exists', async () => {
  const line = `score pii/strict --cases ${DOCS} --ledger`;
  expect((await assay('jsonl', `${line} gzip`)).stderr).toContain('--ledger: the ledger is written to the run folder');
  expect(await assay('jsonl', `${line} bzip2 --out x`)).toMatchObject({ code: 2 });
});
