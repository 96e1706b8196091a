import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { expectBundled, listRuntimePackages } from '../../tools/runtime-packages.mjs';
import { billOfMaterials, licenceList } from '../../tools/sbom.mjs';
import { ROOT, temporaryFolder } from '../cli/run-assay.ts';

const { packages, problems } = listRuntimePackages(ROOT);
const names = (wanted: (one: (typeof packages)[number]) => boolean): string[] =>
  packages.filter(wanted).map(({ name }) => name);

interface Lock {
  packages: Record<string, { version?: string; license?: string; dependencies?: Record<string, string> }>;
}

/** The manifests of this checkout with another lockfile. */
function withLock(change: (lock: Lock) => void): string {
  const folder = temporaryFolder();
  for (const file of ['package.json', 'web/package.json']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  change(lock);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return folder;
}

describe('the packages that users get', () => {
  it('all have a licence that we ship', () => {
    expect(problems).toEqual([]);
  });

  it('are those that are installed, those in our files, and the optional ones, with all that they need', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: object;
      peerDependencies: object;
    };
    expect(names(({ isInstalled }) => isInstalled)).toEqual(
      expect.arrayContaining([...Object.keys(dependencies), 'd3-array', 'fast-uri']),
    );
    expect(names(({ isBundled }) => isBundled)).toEqual(
      expect.arrayContaining(['zod', 'yaml', 'preact', 'd3-force', 'd3-timer', '@fontsource/noto-sans-devanagari']),
    );
    const optional = names(({ isInstalled, isBundled }) => !isInstalled && !isBundled);
    expect(optional).toEqual(
      expect.arrayContaining([...Object.keys(peerDependencies), '@opentelemetry/api', 'undici']),
    );
    for (const name of ['vitest', 'typescript', 'vite', 'playwright-core'])
      expect(names(() => true)).not.toContain(name);
  });

  it.each([
    ['GPL-3.0-only', 'hono@4.0.0: its licence is GPL-3.0-only'],
    [undefined, 'hono@4.0.0: its licence is none'],
    ['(GPL-2.0-only OR GPL-3.0-only)', 'hono@4.0.0: its licence is (GPL-2.0-only OR GPL-3.0-only)'],
  ])('are refused with the licence %s', (license, problem) => {
    const folder = withLock(({ packages: lock }) => {
      lock['node_modules/hono'] = { version: '4.0.0', ...(license === undefined ? {} : { license }) };
    });
    expect(listRuntimePackages(folder).problems).toEqual([problem]);
  });

  it('include those that others bring along, in the version that these get', () => {
    const folder = withLock(({ packages: lock }) => {
      lock['node_modules/hono'] = { version: '4.0.0', license: 'MIT', dependencies: { ajv: '^6' } };
      lock['node_modules/hono/node_modules/ajv'] = { version: '6.0.0', license: 'AGPL-3.0-only' };
    });
    expect(listRuntimePackages(folder).problems).toEqual(['ajv@6.0.0: its licence is AGPL-3.0-only']);
    const missing = withLock(({ packages: lock }) => void delete lock['node_modules/fast-uri']);
    expect(() => listRuntimePackages(missing)).toThrow('package-lock.json has no fast-uri');
  });

  it('are known to the licence list if they are in a bundle', () => {
    const inside = (name: string) => () => expectBundled(ROOT, ['/x/src/a.ts', `/x/node_modules/${name}/lib/a.js`]);
    expect(inside('zod')).not.toThrow();
    expect(inside('zod/node_modules/@scope/odd')).toThrow('@scope/odd is in the bundle, but not in the list');
    expect(inside('lodash')).toThrow('lodash is in the bundle');
  });
});

describe('the bill of materials', () => {
  const bill = billOfMaterials(ROOT, packages);

  it('has a component for each package, by its address in npm, with the hash of its archive', () => {
    const hono = bill.components.find(({ name }) => name === 'hono');
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity: string; version: string }>;
    };
    const { integrity, version } = lock.packages['node_modules/hono']!;
    expect(hono).toEqual({
      type: 'library',
      'bom-ref': `pkg:npm/hono@${version}`,
      name: 'hono',
      version,
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
      licenses: [{ license: { id: 'MIT' } }],
      purl: `pkg:npm/hono@${version}`,
    });
    expect(bill.components.find(({ name }) => name === 'node-server')).toMatchObject({
      group: '@hono',
      purl: expect.stringMatching(/^pkg:npm\/%40hono\/node-server@\d/),
    });
  });

  it('names in its dependencies only what it has as a component', () => {
    const refs = [bill.metadata.component['bom-ref'], ...bill.components.map((one) => one['bom-ref'])];
    expect(bill.dependencies.map(({ ref }) => ref)).toEqual(refs);
    for (const { dependsOn } of bill.dependencies) expect(refs).toEqual(expect.arrayContaining([...dependsOn]));
  });

  it('has nothing that differs from one writing to the next, and no address of a registry', () => {
    const text = JSON.stringify(bill);
    expect(JSON.stringify(billOfMaterials(ROOT, listRuntimePackages(ROOT).packages))).toBe(text);
    expect(text).not.toMatch(/serialNumber|timestamp|urn:uuid|registry|\.tgz/);
  });
});

it('the licence list has every package, and the text of each that is in our files', () => {
  const list = licenceList(ROOT, packages);
  for (const { name, version, licence } of packages) expect(list).toContain(`| ${name} | ${version} | ${licence} |`);
  for (const name of names(({ isBundled }) => isBundled))
    expect(list).toMatch(new RegExp(`^## ${name}\n\n\`\`\`text\n`, 'm'));
  expect(list).toContain('Copyright (c) 2015-present Jason Miller');
  expect(list).toContain('SIL OPEN FONT LICENSE');
});
