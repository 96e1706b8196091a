import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { extractorHash } from '../../src/stream/concepts/scispacy.ts';
import { keptFolder } from '../examples/kept-folder.ts';
import { ContainerBuild, runImage } from './containerfile.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TEXT = readFileSync(path.join(ROOT, 'containers/stream/Containerfile'), 'utf8');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** In memory where there is plenty: half a gigabyte of packages in small files is slow on a busy disk. */
function roomyFolder(): string {
  if (!existsSync('/dev/shm')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > 4e9 ? '/dev/shm' : tmpdir();
}

describe('containers/stream/Containerfile, step by step in empty folders', () => {
  const folder = mkdtempSync(path.join(roomyFolder(), 'assay-container-'));
  const build = new ContainerBuild(TEXT, ROOT, folder);
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000);

  it('makes an image whose program runs, with its example and its screens', () => {
    const image = build.image();
    expect(runImage(image, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    const traces = path.join(image.root, 'opt/assay/examples/stream/traces');
    const validated = runImage(image, ['stream', 'validate', '--traces', traces]);
    expect(validated).toMatchObject({ status: 0, stdout: expect.stringContaining('5 traces') as string });
    expect(readdirSync(path.join(image.root, 'opt/assay/dist/web')).sort()).toEqual(['home', 'report', 'review']);
    // Optional for those who install the package, but not for an image that asks models; nothing for development.
    const packages = readdirSync(path.join(image.root, 'opt/assay/node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['ai', '@ai-sdk', '@langfuse', 'hono', 'zod']));
    for (const name of ['vitest', 'typescript', 'vite', 'bullmq']) expect(packages).not.toContain(name);
    // Without arguments it prints how it is used.
    expect(runImage(image, [])).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: assay') as string });
    expect(image.user).toBe('node');
    expect(build.notPerformed).toEqual([]);
  }, 600_000);

  it('makes an image for scispaCy but for the packages of Python, which cannot be had here', () => {
    const image = build.image('scispacy');
    console.warn(
      `NOT PERFORMED HERE, it needs the indexes of Debian and Python:\n  ${build.notPerformed.join('\n  ')}`,
    );
    expect(build.notPerformed).toEqual([
      'RUN apt-get update && apt-get install --yes --no-install-recommends g++ && pip install --no-cache-dir --target=packages --requirement=scispacy-requirements.txt && PYTHONPATH=packages pip check',
    ]);
    expect(image.env['ASSAY_EXTRACTOR_HASH'], 'freeze the extractor again: put its hash into the Containerfile').toBe(
      extractorHash(),
    );
    expect(image.user).toBe('1000:1000');
    expect(runImage(image, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    const requirements = readFileSync(path.join(image.root, 'opt/scispacy/scispacy-requirements.txt'), 'utf8');
    expect(requirements).toContain('scispacy==0.5.4');
    // Every line is an exact version, or a file whose name has one.
    for (const line of requirements.split('\n').filter((own) => own !== '' && !own.startsWith('#')))
      expect(line).toMatch(/^[\w-]+(?:==\d[\w.]*| @ https:\/\/\S+-\d[\d.]*\.tar\.gz)$/);
  });
});

describe('performing a Containerfile', () => {
  const build = (text: string): ContainerBuild =>
    new ContainerBuild(`FROM node:24-slim AS x\n${text}`, ROOT, keptFolder());

  it('refuses to copy what is not in the context, as it would be in an engine', () => {
    expect(() => build('COPY nowhere there').image()).toThrow('x: COPY nowhere there\nError: nowhere is not in the');
    expect(() => build('COPY dist dist').image()).toThrow('dist is not in the build context');
    expect(() => build('COPY LICENSE README.md there').image()).toThrow('with a slash at its end');
  });

  it('fails where a step does, and where it is of a kind that it does not know', () => {
    expect(() => build('RUN cat /opt/nothing').image()).toThrow('ended with exit code 1');
    expect(() => build('RUN rm -rf /opt').image()).toThrow('programs that are not known here: rm');
    expect(() => build('ADD LICENSE ./').image()).toThrow('this instruction is not known here');
    expect(() => new ContainerBuild('FROM alpine', ROOT, keptFolder()).image()).toThrow(
      'FROM alpine: this image is not',
    );
  });

  it('keeps the places of a stage inside its folder', () => {
    const image = build(
      'WORKDIR /opt/x\nCOPY LICENSE ./\nENV PLACE=/opt/x\nRUN cat "$PLACE/LICENSE" /opt/x/LICENSE',
    ).image();
    expect(readdirSync(path.join(image.root, 'opt/x'))).toEqual(['LICENSE']);
  });
});
