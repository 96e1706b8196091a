import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { PROVIDERS } from '../../src/experiment/models/providers.ts';
import { readRun } from '../../src/index.ts';
import { assayHere } from '../cli/assay-here.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { keptFolder } from '../examples/kept-folder.ts';
import { runHere } from '../examples/run-here.ts';
import { filesBelow } from '../examples/stream-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'containers/stream');

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      command: z.array(z.string()),
      working_dir: z.string().optional(),
      entrypoint: z.undefined().optional(),
      volumes: z.array(z.string()),
      environment: z.array(z.string()).optional(),
      network_mode: z.string().optional(),
      read_only: z.literal(true),
      user: z.string(),
      image: z.enum(['assay-stream', 'assay-stream-scispacy']),
      build: z.object({ context: z.string(), dockerfile: z.string(), target: z.literal('scispacy').optional() }),
    }),
  ),
});

const { services } = compose.parse(parse(readFileSync(path.join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true }));

/** `${NAME:-value}`: the value, where nothing is set. */
function withDefaults(text: string): string {
  return text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
}

interface Mount {
  readonly host: string;
  readonly inside: string;
  readonly readOnly: boolean;
}

function mountOf(volume: string): Mount {
  const [host = '', inside = '', mode = 'rw'] = withDefaults(volume).split(':');
  return { host: path.resolve(FOLDER, host), inside, readOnly: mode === 'ro' };
}

/** A service's command as it would run here: paths of the container become those of the host, results go to `out`. */
function commandHere(name: string, out: string): string[] {
  const { command, volumes } = services[name]!;
  const mounts = volumes.map(mountOf);
  return command.map(withDefaults).map((word) =>
    word.replaceAll(/\/data\/\w+/g, (place) => {
      const mount = mounts.find(({ inside }) => inside === place);
      expect(mount, `${name}: ${place} is mounted`).toBeDefined();
      return place === '/data/out' ? out : mount!.host;
    }),
  );
}

const FAKE_SCISPACY = path.join(ROOT, 'test/stream/concepts/fake-scispacy.ts');

/** A folder with one program, a line of shell. */
function programFolder(name: string, line: string): string {
  const bin = temporaryFolder();
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return bin;
}

describe('containers/stream/compose.yaml', () => {
  const phases = ['validate', 'stoplist', 'replay', 'validate-runs', 'measure', 'figures', 'calibrate', 'sweep'];
  const withScispacy = ['stoplist-scispacy', 'replay-scispacy', 'measure-scispacy'];
  const inScispacyImage = ['stoplist-scispacy', 'measure-scispacy'];
  const out = keptFolder();
  const codes = new Map<string, number>();

  beforeAll(async () => {
    for (const name of phases) codes.set(name, await runHere([...commandHere(name, out), '--quiet']));
  });

  it('has a service for each phase, with a command that runs as it stands, and one for all', () => {
    expect(Object.keys(services).sort()).toEqual([...phases, ...withScispacy, 'all', 'evals'].sort());
    expect(codes).toEqual(new Map(phases.map((name) => [name, 0])));
    expect(readdirSync(out).sort()).toEqual(['calibration', 'figures', 'measures', 'runs', 'stoplists']);
  });

  it('has the phases that concern concepts once more for scispaCy, in a folder apart', async () => {
    for (const name of inScispacyImage) {
      const { image, build } = services[name]!;
      expect([image, build.target], name).toEqual(['assay-stream-scispacy', 'scispacy']);
    }
    // Stands in for Python: the frozen program needs scispaCy.
    const bin = programFolder('python3', `exec "${process.execPath}" "${FAKE_SCISPACY}" good "$2"`);
    vi.stubEnv('PATH', `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`);
    const before = filesBelow(out);
    for (const name of withScispacy) expect(await runHere([...commandHere(name, out), '--quiet']), name).toBe(0);
    vi.unstubAllEnvs();
    const added = filesBelow(out).filter((file) => !before.includes(file));
    expect(added.filter((file) => !file.startsWith('scispacy/'))).toEqual([]);
    for (const file of ['stoplists/stop_cuis.txt', 'runs/V0/case-01.run.jsonl.gz', 'measures/V0/measures.json'])
      expect(added).toContain(`scispacy/${file}`);
    const { recipe } = (await readRun(path.join(out, 'scispacy/measures/V0'))).manifest;
    expect(recipe.resolved['concepts']).toMatchObject({ name: 'scispacy', version: '0.5.4' });
    expect(recipe.resolved['concepts']).not.toHaveProperty('replayed');
    // The stoplists of one way are not those of the other.
    const mixed = commandHere('replay', temporaryFolder()).map((word) =>
      word.startsWith('--stoplists=') ? `--stoplists=${out}/scispacy/stoplists` : word,
    );
    await expect(runHere([...mixed, '--quiet'])).resolves.toBe(2);
  });

  it('comes to the same with all phases in one service', async () => {
    const together = keptFolder();
    expect(await runHere([...commandHere('all', together), '--quiet'])).toBe(0);
    const differ = ['stoplists', 'runs', 'measures', 'figures'].flatMap((part) =>
      filesBelow(path.join(out, part))
        .map((file) => path.join(part, file))
        .filter((file) => !readFileSync(path.join(together, file)).equals(readFileSync(path.join(out, file)))),
    );
    expect(differ).toEqual([]);
  });

  it('has one service for any command, generate included, with paths of the document in the folder it works in', async () => {
    const { command, volumes, working_dir: folder } = services['evals']!;
    // The only mount is the working folder, and it is written to: `data/traces` is a place of the host.
    expect(volumes.map(mountOf)).toEqual([{ host: ROOT, inside: folder, readOnly: false }]);
    expect((await assayHere(command, { cwd: ROOT })).code).toBe(0);
    const cwd = keptFolder();
    cpSync(path.join(ROOT, 'examples/stream/generate'), path.join(cwd, 'configs'), { recursive: true });
    for (const line of [
      'generate --config configs --model scripted --output data/traces',
      'validate --traces data/traces/ --verbose',
      'stoplist --traces data/traces/ --output configs/ --concepts vocabulary',
      'replay --traces data/traces/ --model heuristic --output data/runs',
      'measure --runs data/runs/ --traces data/traces/ --set interval.resamples=100 --output data/metrics',
    ]) {
      const done = await assayHere(['stream', ...line.split(' ')], { cwd });
      expect([line, done.code, done.stderr]).toEqual([line, 0, '']);
    }
    expect(readdirSync(path.join(cwd, 'data')).sort()).toEqual(['metrics', 'runs', 'traces']);
  });

  it('mounts what is only read as read-only, and every place of a host is there', () => {
    const mounts = Object.entries(services).flatMap(([name, { volumes }]) =>
      volumes.map((volume) => ({ name, ...mountOf(volume) })),
    );
    // The files of scispaCy's linker are kept from one run to the next.
    const written = ['/data/out', '/data/scispacy', '/evals'];
    const given = mounts.filter(({ inside }) => !written.includes(inside));
    expect(given.filter(({ host }) => !existsSync(host))).toEqual([]);
    expect(given.filter(({ readOnly }) => !readOnly)).toEqual([]);
    // Results are looked at by whoever validates them, and written by the others.
    const results = mounts.filter(({ inside }) => inside === '/data/out');
    expect(results.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toEqual(['validate-runs']);
  });

  it('passes keys on by name, only to what asks a model, and has no value of one', () => {
    const variables = PROVIDERS.flatMap(({ keyVariables, baseUrlVariable }) => [
      ...keyVariables,
      ...(baseUrlVariable === null ? [] : [baseUrlVariable]),
    ]);
    for (const [name, { environment, network_mode: network }] of Object.entries(services)) {
      const asks = ['replay', 'replay-scispacy', 'all', 'evals'].includes(name);
      expect(network, name).toBe(asks || inScispacyImage.includes(name) ? undefined : 'none');
      expect(environment?.toSorted(), name).toEqual(asks ? [...new Set(variables)].sort() : undefined);
    }
  });
});

describe('containers/stream/Containerfile', () => {
  const lines = readFileSync(path.join(FOLDER, 'Containerfile'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  it('copies only what is there, and nothing as a whole', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied.length).toBeGreaterThan(8);
    for (const name of copied) {
      expect(name).not.toMatch(/^\.?\/?$|\*/);
      expect(existsSync(path.join(ROOT, name)), name).toBe(true);
    }
    // What runs needs: the program, what finds Node for it, the compiled sources, the example, a manifest of packages.
    for (const name of ['bin', 'tools/runtime', 'examples', 'package.json']) expect(copied).toContain(name);
  });

  it('runs the program as a user without rights, on Node 24, with no secret in a layer', () => {
    const from = lines.filter((line) => line.startsWith('FROM '));
    expect(from.filter((line) => !/^FROM (?:node:24-slim|python:3\.10\.14-slim-bookworm) AS /.test(line))).toEqual([
      'FROM assay',
    ]);
    // No stage that is run has rights; what is built if no target is named is the one without Python.
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER node', 'USER 1000:1000']);
    expect(lines.at(-1)).toBe('FROM assay');
    expect(lines.join('\n')).not.toMatch(/^ARG|_KEY|TOKEN|SECRET|PASSWORD/m);
  });
});
