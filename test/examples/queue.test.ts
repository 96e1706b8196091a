import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { QueueKeys } from 'bullmq';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

import runCommand from '../../src/cli/run.ts';
import workerCommand from '../../src/cli/worker.ts';
import { PROVIDERS } from '../../src/experiment/models/providers.ts';
import { KEY_PREFIX, QUEUE_NAME } from '../../src/experiment/queue/jobs.ts';

const FOLDER = join(import.meta.dirname, '../../examples/queue');

const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.array(z.string()),
  environment: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  deploy: z.object({ replicas: z.int() }).optional(),
  user: z.string().optional(),
});
const compose = z.object({ services: z.record(z.string(), service) });

const text = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8');
const { services } = compose.parse(parse(text, { merge: true }));

/** The flags of a command line, each with whether a value follows it. */
function flagsOf(command: readonly string[]): [flag: string, hasValue: boolean][] {
  return command.flatMap((word, at) =>
    word.startsWith('--') ? [[word, command[at + 1]?.startsWith('--') === false] as [string, boolean]] : [],
  );
}

describe('examples/queue/compose.yaml', () => {
  it('has a queue, three workers and a run, with commands and flags that exist', () => {
    expect(services['worker']?.deploy?.replicas).toBe(3);
    const commands: Record<string, Command> = { run: runCommand(() => {}), worker: workerCommand(() => {}) };
    for (const [name, made] of Object.entries(commands)) {
      const [called = '', ...words] = services[name]!.command;
      expect(called).toBe(made.name());
      for (const [flag, hasValue] of flagsOf(words)) {
        const option = made.options.find(({ long }) => long === flag);
        expect([flag, option?.required === true]).toEqual([flag, hasValue]);
      }
    }
    const queues = ['run', 'worker'].map((name) => services[name]!.command.find((word) => word.startsWith('redis:')));
    expect(queues).toEqual(['redis://queue:6379', 'redis://queue:6379']);
    expect(services['queue']?.command).toContain('noeviction');
  });

  it('gives run and workers one folder and one user, as answers go through files', () => {
    const { run, worker } = services;
    expect([run!.volumes, run!.user]).toEqual([worker!.volumes, worker!.user]);
    expect(existsSync(join(FOLDER, worker!.build!.context, worker!.build!.dockerfile))).toBe(true);
  });

  it('passes keys on by name to workers alone, and has no value of one', () => {
    const names = PROVIDERS.flatMap(({ keyVariables }) => keyVariables);
    const passed = services['worker']!.environment!;
    expect(passed.filter((name) => names.includes(name)).length).toBeGreaterThanOrEqual(3);
    expect(passed.filter((name) => name.includes('='))).toEqual([]);
    expect(services['run']!.environment).toBeUndefined();
    expect(text).not.toMatch(/(?:sk-|AIza|password|secret)/i);
  });
});

describe('examples/queue/kubernetes-workers.yaml', () => {
  const source = readFileSync(join(FOLDER, 'kubernetes-workers.yaml'), 'utf8');
  const documents = parseAllDocuments(source).map((document) => document.toJS() as { readonly kind: string });
  const of = (kind: string): unknown => documents.find((document) => document.kind === kind);

  it('scales with the list of jobs that wait in the queue', () => {
    expect(of('ScaledObject')).toMatchObject({
      spec: {
        scaleTargetRef: { name: 'assay-worker' },
        triggers: [{ type: 'redis', metadata: { listName: new QueueKeys(KEY_PREFIX).toKey(QUEUE_NAME, 'wait') } }],
      },
    });
  });

  it('starts workers with flags that exist, the address from a secret, a shared claim and time to finish', () => {
    const { spec } = z
      .object({
        spec: z.object({
          template: z.object({
            spec: z.looseObject({
              containers: z.tuple([
                z.looseObject({ command: z.tuple([z.literal('assay'), z.literal('worker')]).rest(z.string()) }),
              ]),
            }),
          }),
        }),
      })
      .parse(of('Deployment')).spec.template;
    const [{ command: words, ...container }] = spec.containers;
    const made = workerCommand(() => {});
    for (const [flag, hasValue] of flagsOf(words)) {
      const option = made.options.find(({ long }) => long === flag);
      expect([flag, option?.required === true]).toEqual([flag, hasValue]);
    }
    expect(container).toMatchObject({
      env: [{ name: 'ASSAY_QUEUE', valueFrom: { secretKeyRef: { name: 'assay-queue', key: 'address' } } }],
      readinessProbe: { httpGet: { path: '/healthz' } },
    });
    expect(of('Secret')).toMatchObject({
      metadata: { name: 'assay-queue' },
      stringData: { address: expect.stringMatching(/^redis:/) },
    });
    expect(spec).toMatchObject({
      terminationGracePeriodSeconds: 180,
      volumes: [{ persistentVolumeClaim: { claimName: 'assay-data' } }],
    });
    expect(source).not.toMatch(/sk-|AIza/);
  });
});
