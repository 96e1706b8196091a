import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { installCommand, loadOptional } from '../../src/data/optional-package.ts';
import { UsageError } from '../../src/data/problems.ts';

const ROOT = join(import.meta.dirname, '../..');

it('names every package to install, with the major version that is supported', async () => {
  const missing = new Error("Cannot find package 'ai' imported from /x/dist/parts/generate.js");
  const load = () => loadOptional('the model google/x', ['ai', '@ai-sdk/google'], () => Promise.reject(missing));
  await expect(load()).rejects.toThrow(UsageError);
  await expect(load()).rejects.toMatchObject({
    message: 'the model google/x needs packages that are not installed',
    next: 'npm install ai@7 @ai-sdk/google@4',
  });
});

it('names the package that another one needs as well', async () => {
  const missing = new Error(
    "Cannot find package '@opentelemetry/api' imported from /x/node_modules/@langfuse/core/a.mjs",
  );
  await expect(loadOptional('Langfuse', ['@langfuse/core'], () => Promise.reject(missing))).rejects.toMatchObject({
    next: 'npm install @langfuse/core@5 @opentelemetry/api',
  });
});

it('hands on what is loaded, and every other error as it is', async () => {
  expect(await loadOptional('x', ['vitest'], () => import('vitest'))).toHaveProperty('expect');
  const broken = new SyntaxError('Unexpected token');
  await expect(loadOptional('x', ['a'], () => Promise.reject(broken))).rejects.toBe(broken);
});

it('installs where the program is: in the project, in one to begin for npx, or globally', () => {
  const command = (place: string, folder: string): string =>
    installCommand(['pg'], join(place, 'node_modules/assay/package.json'), folder);
  expect(command('/home/ann/town', '/home/ann/town/data')).toBe('npm install pg@8');
  expect(command('/home/ann/town/node_modules/.pnpm/assay@1', '/home/ann/town')).toBe('npm install pg@8');
  expect(command('/home/ann/.npm/_npx/1f2e', '/home/ann/town')).toBe('npm install assay pg@8');
  expect(command('/usr/lib', '/home/ann/town')).toBe('npm install --global pg@8');
  expect(installCommand(['bullmq', 'ioredis'], '/home/ann/assay/package.json', '/tmp')).toBe(
    'npm install bullmq@6 ioredis@6',
  );
  expect(installCommand(['pg'], '/home/ann/assay/package.json', '/tmp')).toBe('npm install pg@8');
});

it('is for packages that package.json has as optional peers, and this checkout as packages for development', () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, unknown>>;
  expect(Object.keys(peerDependenciesMeta!)).toEqual(Object.keys(peerDependencies!));
  for (const name of Object.keys(peerDependencies!)) {
    expect(peerDependenciesMeta![name], name).toEqual({ optional: true });
    expect(devDependencies, name).toHaveProperty([name]);
    expect(dependencies, name).not.toHaveProperty([name]);
  }
});
