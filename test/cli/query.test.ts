import { hash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { ROOT } from './run-assay.ts';

/** A folder where @duckdb/node-api is installed: it has 70 MB, so it is not among what the tests need. */
const DUCKDB = process.env['ASSAY_DUCKDB'] ?? ROOT;

function hasDuckDb(): boolean {
  try {
    return createRequire(join(DUCKDB, 'package.json')).resolve('@duckdb/node-api') !== '';
  } catch {
    return false;
  }
}

let folder: string;
const FORMATS = ['jsonl', 'zstd', 'parquet'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-query-test-'));
  for (const format of FORMATS) {
    const files = ['--cases', 'examples/pii/docs.json', '--out', join(folder, format), '--ledger', format];
    const { code, stderr } = await assayHere(
      ['score', 'pii/semeval', ...files, '--set', 'interval=off', '--no-report', '--quiet'],
      {
        cwd: ROOT,
      },
    );
    if (code !== 0) throw new Error(stderr);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('without DuckDB', () => {
  it.skipIf(DUCKDB === ROOT && hasDuckDb())('is refused with the one line that installs it', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      expect(await assayHere(['query', 'jsonl', 'select 1'], { cwd: folder })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: 'assay: assay query needs DuckDB, which is not installed\nnpm install @duckdb/node-api\n',
      });
    } finally {
      process.env['PATH'] = path;
    }
  });
});

/** Stands for the program: it keeps its arguments, and answers as that does with -json. */
describe('with the program duckdb', () => {
  const query = async (sql: string, answer: string) => {
    const bin = join(folder, 'bin');
    const script = `#!${process.execPath}
      require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'args.json'))}, JSON.stringify(process.argv.slice(2)));
      process.stdout.write(${JSON.stringify(answer)});`;
    rmSync(bin, { recursive: true, force: true });
    const { mkdirSync } = await import('node:fs');
    mkdirSync(bin);
    writeFileSync(join(bin, 'duckdb'), script);
    chmodSync(join(bin, 'duckdb'), 0o755);
    const path = process.env['PATH'];
    process.env['PATH'] = `${bin}${delimiter}${path ?? ''}`;
    try {
      return await assayHere(['query', 'jsonl', sql, '--json'], { cwd: folder });
    } finally {
      process.env['PATH'] = path;
    }
  };

  it('loads the tables, closes the door, then asks', async () => {
    const { stdout, code } = await query('select 1 as a', '[{"Count":3}]\n[{"a":1},\n{"a":2}]\n');
    expect([code, JSON.parse(stdout)]).toEqual([0, [{ a: 1 }, { a: 2 }]]);
    const args = JSON.parse(readFileSync(join(folder, 'args.json'), 'utf8')) as string[];
    const loading = args[args.indexOf('-cmd') + 1]!;
    expect(loading).toMatch(
      /^set temp_directory = '.*assay-query-.*spilled';\nset max_temp_directory_size = '16GB';\n/,
    );
    expect(loading).toMatch(
      /\nset memory_limit = '\d+B';\ncreate table ledger as from read_parquet\('.*ledger\.parquet'\);\ncreate table cases/,
    );
    expect(loading).toMatch(/set enable_external_access = false;\nset lock_configuration = true;$/);
    expect(args[args.indexOf('-c') + 1]).toBe('select 1 as a');
  });

  it('has no commands of the program itself', async () => {
    expect(await query('select 1;\n.shell ls', '[]')).toMatchObject({ code: 2 });
  });
});

if (!hasDuckDb())
  console.warn(
    'SKIPPED: assay query against DuckDB itself. npm install @duckdb/node-api somewhere, ASSAY_DUCKDB=FOLDER',
  );

describe.skipIf(!hasDuckDb())('with DuckDB', () => {
  const query = async (run: string, sql: string, ...more: readonly string[]) =>
    assayHere(['query', join(folder, run), sql, ...more], { cwd: DUCKDB });
  const rows = async (run: string, sql: string): Promise<unknown> =>
    JSON.parse((await query(run, sql, '--json')).stdout);

  it.each(FORMATS)('counts as the measures of the run do: %s', async (run) => {
    const counted = 'select scheme, verdict, sum(weight) n from ledger group by all order by all';
    const { measures, rules } = JSON.parse(readFileSync(join(folder, run, 'measures.json'), 'utf8')) as {
      measures: readonly { name: string; slice: object; value: number }[];
      rules: readonly { scheme: string | null; verdict: string; n: number }[];
    };
    const sums = new Map<string, number>();
    for (const { scheme, verdict, n } of rules) {
      const key = JSON.stringify([scheme, verdict]);
      sums.set(key, (sums.get(key) ?? 0) + n);
    }
    const found = (await rows(run, counted)) as readonly { scheme: string | null; verdict: string; n: number }[];
    expect(new Map(found.map(({ scheme, verdict, n }) => [JSON.stringify([scheme, verdict]), n]))).toEqual(sums);
    const overall = measures.filter(({ slice }) => Object.keys(slice).length === 0);
    expect(await rows(run, "select name, value from measures where slice = '{}'")).toEqual(
      overall.map(({ name, value }) => ({ name, value })),
    );
    expect(await rows(run, 'select "case", f1 from cases order by "case" limit 1')).toMatchObject([{ case: 'EX-001' }]);
  });

  it('prints CSV into a pipe, JSON if asked', async () => {
    const sql = "select 'a,b' x, 1 n, null z, [1, 2] l, 12345678901234567890::hugeint h, 2::bigint b";
    expect((await query('jsonl', sql)).stdout).toBe('x,n,z,l,h,b\n"a,b",1,,"[1,2]",12345678901234567890,2\n');
    expect(await rows('jsonl', sql)).toEqual([{ x: 'a,b', n: 1, z: null, l: [1, 2], h: '12345678901234567890', b: 2 }]);
    expect(await query('jsonl', 'select 1', '--csv', '--json')).toMatchObject({ code: 2 });
  });

  it.each([
    ["copy ledger to 'x.csv'", 'disabled'],
    ["select * from read_csv('/etc/hostname')", 'disabled'],
    ["attach 'x.db'", 'disabled'],
    // DuckDB opens its temporary folder to queries.
    ["select * from read_csv('.tmp/private.csv')", 'disabled'],
    ["copy ledger to '.tmp/x.csv'", 'disabled'],
    ["set memory_limit = '90GB'", 'Cannot change configuration'],
    ['load httpfs', 'disabled'],
    ['set enable_external_access = true', 'Cannot change configuration'],
    ['select nothing from ledger', 'nothing'],
    ['selct', 'syntax error'],
  ])('refuses %s', async (sql, why) => {
    expect(await query('parquet', sql)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(why) as string,
    });
  });

  it('has a limit of memory, and spills to a folder of its own that is gone afterwards', async () => {
    const asked = "current_setting('temp_directory') place, current_setting('memory_limit') memory";
    const [{ place, memory }] = (await rows('jsonl', `select ${asked}`)) as [{ place: string; memory: string }];
    expect(place.startsWith(tmpdir())).toBe(true);
    expect(existsSync(place)).toBe(false);
    expect(memory).toMatch(/^(?:2\.0 GiB|[01]\.\d GiB|\d+(?:\.\d)? MiB)$/);
  });

  it('says that a ledger is damaged whose hash is that of the damage', async () => {
    cpSync(join(folder, 'parquet'), join(folder, 'forged'), { recursive: true });
    const ledger = readFileSync(join(folder, 'forged/ledger.parquet'));
    ledger.subarray(-400, -100).fill(0xff);
    writeFileSync(join(folder, 'forged/ledger.parquet'), ledger);
    const manifest = join(folder, 'forged/manifest.json');
    const { files, ...others } = JSON.parse(readFileSync(manifest, 'utf8')) as { files: Record<string, object> };
    const forged = { sha256: hash('sha256', ledger), bytes: ledger.length };
    writeFileSync(manifest, JSON.stringify({ ...others, files: { ...files, 'ledger.parquet': forged } }));
    expect(await query('forged', 'select 1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /DuckDB cannot load the run \(.*\)\nif the ledger is damaged, score the cases again\n$/,
      ) as string,
    });
  });

  it('leaves the run as it was', async () => {
    const before = readFileSync(join(folder, 'parquet/ledger.parquet'));
    await query('parquet', 'delete from ledger; drop table cases; select 1');
    expect(readFileSync(join(folder, 'parquet/ledger.parquet')).equals(before)).toBe(true);
  });
});
