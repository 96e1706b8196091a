import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { readPlain, readPlainSync } from '../../src/data/read-file.ts';
import { errorCode } from '../../src/data/source.ts';
import { assayHere } from './assay-here.ts';
import { example, ROOT } from './run-assay.ts';

/** More than any disk here has; holes take no room. */
const HUGE = 2 ** 41;

/** What somebody may put in the place of a file. */
const KINDS: Readonly<Record<string, (path: string) => void>> = {
  FIFO: (path) => void execFileSync('mkfifo', [path]),
  'link to a device': (path) => symlinkSync('/dev/zero', path),
  'link to a FIFO': (path) => {
    execFileSync('mkfifo', [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  'link to itself': (path) => symlinkSync(path, path),
  folder: (path) => mkdirSync(path),
  'huge file': (path) => {
    writeFileSync(path, '');
    truncateSync(path, HUGE);
  },
};
const COMMANDS = ['explain', 'report', 'audit', 'compare', 'gate', 'waterfall'] as const;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
  writeFileSync(join(folder, 'gate.yaml'), 'rules: [{ measure: f1, atLeast: 0.1 }]\n');
  for (const name of ['run', 'other']) {
    cpSync(example('pii/docs.json'), join(folder, `${name}.json`));
    const score = ['score', 'pii/strict', '--cases', join(folder, `${name}.json`), '--set', 'interval=off', '--quiet'];
    const { code, stderr } = await assayHere([...score, '--out', join(folder, name)], { cwd: ROOT });
    if (code !== 0) throw new Error(stderr);
  }
  return () => rmSync(folder, { recursive: true, force: true });
});

function copy(name: string): string {
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  cpSync(join(folder, 'run'), place, { recursive: true });
  return place;
}

async function assay(command: (typeof COMMANDS)[number], run: string): Promise<{ code: number | null; text: string }> {
  const args = command === 'compare' ? ['compare', 'other', run] : [command, run];
  const { code, stdout, stderr } = await assayHere(args, { cwd: folder });
  return { code, text: `${stdout}${stderr}` };
}

describe.each(Object.entries(KINDS))('a %s', (kind, make) => {
  it('is not read as a plain file, and nobody waits for it', async () => {
    const path = join(folder, `plain ${kind}`);
    make(path);
    const refused = /not a plain file|a link, which is not followed|bytes, at most/;
    expect(errorCode(await readPlain(path).catch((error: unknown) => error))).toMatch(refused);
    expect(() => readPlainSync(path)).toThrow(refused);
  });

  it.each(['manifest.json', 'measures.json', 'cases.jsonl', 'ledger.jsonl'])(
    'in place of %s is named',
    async (file) => {
      const place = copy('bad');
      rmSync(join(place, file));
      make(join(place, file));
      for (const command of COMMANDS) {
        const { code, text } = await assay(command, 'bad');
        expect(code, `${command}: ${text}`).toBe(2);
        expect(text, command).toContain(file);
      }
    },
  );

  it('in place of audit.json, figures.json or report.html is not waited for', async () => {
    for (const file of ['audit.json', 'figures.json', 'report.html']) {
      const place = copy('bad');
      rmSync(join(place, file));
      make(join(place, file));
      const { code } = await assay(file === 'audit.json' ? 'report' : 'audit', 'bad');
      expect(code, file).toBe(file === 'report.html' ? 0 : 2);
    }
  });

  it('in place of timing.json leaves the texts out', async () => {
    const place = copy('bad');
    rmSync(join(place, 'timing.json'));
    make(join(place, 'timing.json'));
    const { code, text } = await assay('explain', 'bad');
    expect(code).toBe(0);
    expect(text).toContain('timing.json does not say where run.json is');
    expect((await assay('audit', 'bad')).code).toBe(0);
  });

  it('as a path in timing.json is not read', async () => {
    const path = join(folder, `input ${kind}`);
    make(path);
    const place = copy('bad');
    writeFileSync(join(place, 'timing.json'), JSON.stringify({ paths: [{ role: 'cases', path }] }));
    const { code, text } = await assay('explain', 'bad');
    expect(code).toBe(0);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('the text is not shown');
    expect((await assay('audit', 'bad')).code).toBe(0);
    rmSync(join(place, 'figures.json'));
    expect((await assay('waterfall', 'bad')).code).toBe(2);
  });
});

it.each(['{', '', 'null', '[]', '{"paths":[{"role":5}]}', '\u0000\u001b[2J', '"'.repeat(50)])(
  'timing.json that holds %j leaves the texts out',
  async (content) => {
    const place = copy('bad');
    writeFileSync(join(place, 'timing.json'), content);
    const { code, text } = await assay('explain', 'bad');
    expect(code).toBe(0);
    expect(text).toContain('timing.json does not say where run.json is');
    rmSync(join(place, 'figures.json'));
    const { code: made, text: why } = await assay('waterfall', 'bad');
    expect(made).toBe(2);
    expect(why).toContain('timing.json does not say where it is');
  },
);

it('a file that was scored is read through a link, but not one of another size', async () => {
  const place = copy('linked');
  symlinkSync(join(folder, 'run.json'), join(folder, 'link.json'));
  const record = (path: string): void =>
    writeFileSync(join(place, 'timing.json'), JSON.stringify({ paths: [{ role: 'cases', path }] }));
  record(join(folder, 'link.json'));
  expect((await assay('explain', 'linked')).text).not.toContain('not shown');
  writeFileSync(join(folder, 'longer.json'), `${readFileSync(join(folder, 'run.json'), 'utf8')}\n`);
  record(join(folder, 'longer.json'));
  const { text } = await assay('explain', 'linked');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('longer.json has changed since it was scored');
});

it('a huge file that the manifest calls huge is not read either', async () => {
  const place = copy('bad');
  const path = join(folder, 'enormous');
  KINDS['huge file']!(path);
  edit(place, (manifest) => ({ ...manifest, inputs: [{ ...manifest.inputs[0], bytes: HUGE }] }));
  writeFileSync(join(place, 'timing.json'), JSON.stringify({ paths: [{ role: 'cases', path }] }));
  const { code, text } = await assay('explain', 'bad');
  expect(code).toBe(0);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`cannot be read (${HUGE} bytes, at most 4294967296 are read)`);
});

it('lines without end are not read to their end', async () => {
  const place = copy('bad');
  // As in a run of an earlier version, which has no hashes.
  edit(place, ({ files: _, ...manifest }) => manifest);
  const ledger = readFileSync(join(place, 'ledger.jsonl'), 'utf8');
  writeFileSync(join(place, 'ledger.jsonl'), ledger + '{}\n'.repeat(100));
  truncateSync(join(place, 'ledger.jsonl'), HUGE);
  const { code, text } = await assay('report', 'bad');
  expect(code).toBe(2);
  expect(text).toMatch(/ledger\.jsonl: (?:not text, it holds NUL bytes|more than \d+ complete lines)/);
});

it('a manifest nested without end is refused', async () => {
  const place = copy('bad');
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const manifest = readFileSync(join(place, 'manifest.json'), 'utf8');
  writeFileSync(join(place, 'manifest.json'), manifest.replace('"resolved": {', `"resolved": {"x": ${deep},`));
  for (const command of COMMANDS) {
    const { code, text } = await assay(command, 'bad');
    expect(code, `${command}: ${text}`).toBe(2);
  }
});

interface Edited {
  readonly inputs: readonly object[];
  readonly files?: Readonly<Record<string, { sha256: string; bytes: number }>>;
}

function edit(place: string, change: (manifest: Edited) => Edited): void {
  const file = join(place, 'manifest.json');
  const manifest = change(JSON.parse(readFileSync(file, 'utf8')) as Edited);
  writeFileSync(file, JSON.stringify(manifest));
}

it('gzip is no way to make a small file a large one', async () => {
  const place = copy('bad');
  const bomb = execFileSync('gzip', ['-9', '-c'], { input: '\n'.repeat(1 << 20) });
  writeFileSync(join(place, 'cases.jsonl'), bomb);
  edit(place, (manifest) => ({
    ...manifest,
    files: {
      ...manifest.files,
      'cases.jsonl': { sha256: createHash('sha256').update(bomb).digest('hex'), bytes: bomb.length },
    },
  }));
  const { code, text } = await assay('report', 'bad');
  expect(code).toBe(2);
  expect(text).toContain('cases.jsonl');
});
