import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { spanDocuments } from '../columns/span-documents.ts';
import { BIN, ROOT, temporaryFolder } from '../cli/run-assay.ts';

const file = (name: string): string => join(ROOT, 'examples/scale', name);

/** A folder with documents, and `assay` and `npx` among the programs. */
class Place {
  readonly folder = temporaryFolder();
  readonly #programs = join(this.folder, 'programs');

  constructor() {
    mkdirSync(this.#programs);
    const program = (name: string, arguments_: string): void => {
      writeFileSync(join(this.#programs, name), `#!/bin/sh\n${arguments_}\nexec "${process.execPath}" "${BIN}" "$@"\n`);
      chmodSync(join(this.#programs, name), 0o755);
    };
    program('assay', '');
    program('npx', 'shift');
    writeFileSync(join(this.folder, 'docs.jsonl'), spanDocuments(40, 6));
    this.run('assay', ['score', 'pii/strict', '--cases', 'docs.jsonl', '--out', 'one']);
  }

  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const { status, stderr } = spawnSync(program, args, {
      cwd: this.folder,
      env: { ...process.env, ...env, PATH: `${this.#programs}:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  }

  /** A hash of each file of a run, but for what is not the same every day. */
  hashes(run: string): Record<string, string> {
    const names = readdirSync(join(this.folder, run)).filter((name) => name !== 'timing.json');
    return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(join(this.folder, run, name)))]));
  }
}

const podsOf = z.object({
  spec: z.object({
    completions: z.number().optional(),
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            command: z.array(z.string()),
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
          }),
        ]),
      }),
    }),
  }),
});

const workflow = z.object({
  env: z.record(z.string(), z.coerce.string()),
  jobs: z.record(
    z.string(),
    z.object({
      strategy: z.object({ matrix: z.object({ shard: z.array(z.number()) }) }).optional(),
      steps: z.array(z.object({ run: z.string().optional() })),
    }),
  ),
});

describe('examples/scale', () => {
  it('Makefile', () => {
    const place = new Place();
    place.run('make', ['-j2', '-f', file('Makefile'), 'SHARDS=3']);
    expect(place.hashes('runs/merged')).toEqual(place.hashes('one'));
  });

  it('slurm-array.sh', () => {
    const place = new Place();
    for (const task of ['3', '1', '2'])
      place.run('sh', [file('slurm-array.sh')], { SLURM_ARRAY_TASK_ID: task, SLURM_ARRAY_TASK_COUNT: '3' });
    const merge = /--wrap '([^']+)'/.exec(readFileSync(file('slurm-array.sh'), 'utf8'))![1]!;
    place.run('sh', ['-c', merge]);
    expect(place.hashes('runs/merged')).toEqual(place.hashes('one'));
  });

  it('kubernetes-indexed-job.yaml', () => {
    const place = new Place();
    const [score, merge] = ['kubernetes-indexed-job.yaml', 'kubernetes-merge-job.yaml'].map(
      (name) => podsOf.parse(parse(readFileSync(file(name), 'utf8'))).spec,
    );
    const pod = (spec: typeof score, index: string): void => {
      const { command, args, env } = spec!.template.spec.containers[0];
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      place.run(command[0]!, [...command.slice(1), ...args], { ...own, JOB_COMPLETION_INDEX: index });
    };
    expect(score!.template.spec.containers[0].env).toEqual([{ name: 'SHARDS', value: String(score!.completions) }]);
    for (let index = 0; index < score!.completions!; index += 1) pod(score, String(index));
    pod(merge, '0');
    expect(place.hashes('runs/merged')).toEqual(place.hashes('one'));
  });

  it('github-matrix.yaml', () => {
    const place = new Place();
    const text = readFileSync(file('github-matrix.yaml'), 'utf8');
    const { env, jobs } = workflow.parse(parse(text));
    const shards = jobs['shard']!.strategy!.matrix.shard;
    expect(String(shards.length)).toBe(env['SHARDS']);
    const steps = (job: string): string[] =>
      jobs[job]!.steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run]));
    for (const shard of shards)
      for (const step of steps('shard')) place.run('sh', ['-c', step], { ...env, SHARD: String(shard) });
    for (const step of steps('merge')) place.run('sh', ['-c', step]);
    expect(place.hashes('runs/merged')).toEqual(place.hashes('one'));
  });
});
