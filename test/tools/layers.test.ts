import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkLayers } from '../../tools/layers.mjs';
import { listImports } from '../../tools/list-imports.mjs';
import type { AllowedNames } from '../../tools/names.mjs';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'assay-layers-'));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  return root;
}

/** Folders of a few files have helpers and names of their own. */
const ALLOWED = {
  lone: Object.fromEntries(['text', 'data', 'pair', 'stream'].map((folder) => [folder, 9])),
  names: { duplicates: [], vague: [] },
};

function violationsOf(files: Readonly<Record<string, string>>): string[] {
  return checkLayers(tree(files), ALLOWED).violations;
}

describe('checkLayers', () => {
  test('accepts imports from the same folder and from folders earlier in the list', () => {
    const root = tree({
      'src/text/words.ts': "export const words = 1;\nexport { marks } from './marks.ts';",
      'src/text/marks.ts': 'export const marks = 1;',
      'src/data/lines.ts': "import { words } from '../text/words.ts';\nimport { readFileSync } from 'node:fs';",
      'src/cli/main.ts': "const { lines } = await import('../index.ts');",
      'src/index.ts': "export * from './data/lines.ts';",
      'src/recipe/presets/pii.yaml': 'task: pii',
    });
    expect(checkLayers(root, ALLOWED)).toMatchObject({ files: 5, imports: 4, violations: [] });
  });

  test('lets a plugin import itself and the entry points', () => {
    const files = {
      'src/text/words.ts': 'export const words = 1;',
      'src/plugin.ts': "export { words } from './text/words.ts';",
      'src/stream/turns.ts': 'export const turns = 1;',
      'src/stream/replay.ts': "import { turns } from './turns.ts';\nimport { words } from '../plugin.ts';",
    };
    expect(violationsOf(files)).toEqual([]);
    expect(violationsOf({ ...files, 'src/stream/turns.ts': "import { words } from '../text/words.ts';" })).toEqual([
      'src/stream/turns.ts:1 imports src/text/words.ts: stream imports the entry points of src and nothing else',
    ]);
  });

  test('counts files, lines and files with one importer', () => {
    const root = tree({
      'src/text/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
      'src/text/b.ts': 'export const b = 1;\n',
      'src/pair/c.ts': "import { a } from '../text/a.ts';\n",
      'src/pair/d.ts': `import { a } from '../text/a.ts';\n${'// line\n'.repeat(5000)}`,
    });
    const { folders } = checkLayers(root, ALLOWED);
    expect(folders).toEqual([
      { folder: 'text', files: 2, lines: 3, single: 1, lone: 1 },
      { folder: 'pair', files: 2, lines: 5002, single: 0, lone: 0 },
    ]);
  });

  test('keeps from pages what they would load through src, types aside', () => {
    const files = {
      'web/src/page.tsx':
        "import { shown } from '../../src/text/shown.ts';\nimport type { Kept } from '../../src/data/kept.ts';",
      'src/text/shown.ts': "import type { z } from 'zod';\nexport const shown = 1;",
      'src/data/kept.ts': "import { z } from 'zod';\nimport { readFileSync } from 'node:fs';",
    };
    expect(violationsOf(files)).toEqual([]);
    const loading = files['web/src/page.tsx'].replaceAll('import type', 'import');
    expect(violationsOf({ ...files, 'web/src/page.tsx': loading })).toEqual([
      'web/src/page.tsx -> src/data/kept.ts -> zod: a page may not load it',
      'web/src/page.tsx -> src/data/kept.ts -> node:fs: a page may not load it',
    ]);
  });

  test('names file, line and target of an import that points down the list', () => {
    expect(
      violationsOf({
        'src/text/words.ts': "// first line\n\nimport type { Case } from '../data/case.ts';",
        'src/data/case.ts': 'export interface Case {}',
      }),
    ).toEqual([
      'src/text/words.ts:3 imports src/data/case.ts: text may not import data (data stands below text in the list)',
    ]);
  });

  test('finds export-from, dynamic and type imports that point down the list', () => {
    const violations = violationsOf({
      'src/pair/a.ts': "export * from '../judge/x.ts';",
      'src/pair/b.ts': "const x = await import('../judge/x.ts');",
      'src/pair/c.ts': "type X = import('../judge/x.ts').X;",
      'src/judge/x.ts': 'export type X = 1;',
    });
    expect(violations.map((line) => line.split(' ')[0])).toEqual([
      'src/pair/a.ts:1',
      'src/pair/b.ts:1',
      'src/pair/c.ts:1',
    ]);
  });

  test('keeps the command line out of the library and the public door out of the folders', () => {
    expect(
      violationsOf({
        'src/index.ts': "export { main } from './cli/main.ts';",
        'src/cli/main.ts': 'export const main = 1;',
        'src/report/html.ts': "import '../index.ts';",
        'src/report/table.ts': "import { score } from 'assay';",
        'src/cli/score.ts': "import '../index.ts';\nimport '../data/lines.ts';",
      }),
    ).toEqual([
      'src/cli/score.ts:2 imports src/data/lines.ts: cli imports the entry points of src and nothing else',
      'src/index.ts:1 imports src/cli/main.ts: index.ts may not import cli (it is not part of the library)',
      'src/report/html.ts:1 imports src/index.ts: report may not import index.ts (index.ts stands below report in the list)',
      'src/report/table.ts:1 imports assay: src may not import its own public door',
    ]);
  });

  test('does not let src reach outside itself', () => {
    expect(
      violationsOf({ 'src/cli/version.ts': "import pkg from '../../package.json' with { type: 'json' };" }),
    ).toEqual(['src/cli/version.ts:1 imports package.json: src may not import from outside src']);
  });

  test('reports a cycle once, with its way', () => {
    expect(
      violationsOf({
        'src/text/a.ts': "import './b.ts';",
        'src/text/b.ts': "import './c.ts';",
        'src/text/c.ts': "import './a.ts';",
        'src/text/d.ts': "import './a.ts';",
      }),
    ).toEqual(['src/text/a.ts -> src/text/b.ts -> src/text/c.ts -> src/text/a.ts: import cycle']);
  });

  test.each(['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'manager', 'service', 'csv-utils'])(
    'refuses a file called %s',
    (name) => {
      expect(violationsOf({ [`src/data/${name}.ts`]: '' })).toEqual([
        `src/data/${name}.ts: "${name}" says nothing; name it after what it holds`,
      ]);
    },
  );

  test('allows a telling name that begins with such a word', () => {
    expect(violationsOf({ 'src/text/common-prefix.ts': '' })).toEqual([]);
  });

  test('refuses a folder that is not in the list, and files beside the entry points', () => {
    expect(violationsOf({ 'src/extras/x.ts': '', 'src/version.ts': '' })).toEqual([
      'src/extras/x.ts: extras is not in the list of layers (tools/layers.mjs)',
      'src/version.ts: version.ts is not in the list of layers (tools/layers.mjs)',
    ]);
  });

  test.each(['node:fs', 'node:fs/promises', 'fs', 'node:child_process', 'node:net', 'node:http'])(
    'keeps %s out of folders that only compute',
    (specifier) => {
      const source = `import x from '${specifier}';`;
      expect(violationsOf({ 'src/stats/x.ts': source })).toEqual([
        `src/stats/x.ts:1 imports ${specifier}: stats only computes; files, processes and network belong elsewhere`,
      ]);
      expect(violationsOf({ 'src/score/x.ts': source })).toEqual([]);
    },
  );

  test('holds for this repository', () => {
    expect(checkLayers(path.resolve(import.meta.dirname, '../..')).violations).toEqual([]);
  });
});

describe('exported names', () => {
  const check = (files: Readonly<Record<string, string>>, names: Partial<AllowedNames> = {}) =>
    checkLayers(tree(files), { lone: {}, names: { duplicates: [], vague: [], ...names } });

  test('are unique: overloads and entry points do not count', () => {
    const files = {
      'src/text/a.ts': 'export function same(x: 1): 1;\nexport function same(x: 2): 2;\nexport function same() {}',
      'src/index.ts': 'export async function same() {}',
    };
    expect(check(files).violations).toEqual([]);
    const twice = { ...files, 'src/data/b.ts': 'export type same = 1;' };
    expect(check(twice)).toMatchObject({
      names: { duplicates: 1, vague: 0 },
      violations: ['src/data/b.ts and src/text/a.ts export same: a name is exported once'],
    });
    expect(check(twice, { duplicates: ['same'] }).violations).toEqual([]);
  });

  test.each(['ownCode', 'FOUND_ROWS', 'toldOf', 'NothingSaid', 'asOne'])('are not vague, as %s is', (name) => {
    const files = { 'src/text/a.ts': `export const ${name} = 1;` };
    expect(check(files).violations).toEqual([expect.stringContaining(`src/text/a.ts exports ${name}: "`)]);
    expect(check(files, { vague: [name] }).violations).toEqual([]);
  });

  test('may hold such letters in a word', () => {
    const names = ['owner', 'foundation', 'phone', 'counter', 'givenness'].map((name) => `export const ${name} = 1;`);
    expect(check({ 'src/text/a.ts': names.join('\n') }).violations).toEqual([]);
  });

  test('leave the list of those that may still be wrong once they are right', () => {
    expect(check({ 'src/text/a.ts': 'export const a = 1;' }, { vague: ['ownA'] }).violations).toEqual([
      'tools/names.mjs lists ownA, which is fine now: remove the line',
    ]);
  });
});

test('a file that only a neighbour imports and no test names counts against its folder', () => {
  const files = {
    'src/text/a.ts': "import './b.ts';",
    'src/text/b.ts': '',
    'src/data/c.ts': "import '../text/a.ts';",
  };
  const names = { duplicates: [], vague: [] };
  expect(checkLayers(tree(files), { lone: {}, names }).violations).toEqual([
    'src/text: 1 files that only a neighbour imports and no test names, 0 at most',
  ]);
  expect(checkLayers(tree(files), { lone: { text: 1 }, names }).violations).toEqual([]);
  const tested = { ...files, 'test/text/b.test.ts': "import '../../src/text/b.ts';" };
  expect(checkLayers(tree(tested), { lone: {}, names })).toMatchObject({
    violations: [],
    totals: [
      { folder: 'src', files: 3 },
      { folder: 'web', files: 0 },
      { folder: 'test', files: 1 },
    ],
  });
});

describe('listImports', () => {
  const specifiers = (source: string) => listImports(source).map((found) => found.specifier);

  test('reads every form of import, over several lines and with quotes of each kind', () => {
    const source = [
      "import './a';",
      'import b from "./b";',
      "import * as c from './c';",
      "import d, {\n  type E, // from './not'\n  'odd name' as f,\n} from './d';",
      "import type { G } from './g';",
      "export * as h from './h';",
      "export type { I } from './i';",
      "export {} from './j'",
      'await import(`./k`);',
      "import l from './l' with { type: 'json' };",
    ].join('\n');
    expect(listImports(source)).toEqual([
      { specifier: './a', line: 1, isType: false },
      { specifier: './b', line: 2, isType: false },
      { specifier: './c', line: 3, isType: false },
      { specifier: './d', line: 4, isType: false },
      { specifier: './g', line: 8, isType: true },
      { specifier: './h', line: 9, isType: false },
      { specifier: './i', line: 10, isType: true },
      { specifier: './j', line: 11, isType: false },
      { specifier: './k', line: 12, isType: false },
      { specifier: './l', line: 13, isType: false },
    ]);
  });

  test('is not fooled by comments, strings, templates and members', () => {
    const source = [
      "// import './a'",
      "/* import './a' */",
      '/**\n * import x from "./a"\n */',
      'const s = "import \'./a\'" + \'import "./a"\';',
      "const t = `import './a' ${`from './a'`} export * from './a'`;",
      "object.import('./a'); import.meta.resolve('./a');",
      "export const from = './a';",
      "export { s };\nconst from2 = './a';",
    ].join('\n');
    expect(specifiers(source)).toEqual([]);
  });

  test('takes a specifier for a string, whatever it holds', () => {
    expect(specifiers("import a from '.'\nimport { b } from '}'\nimport 'from'")).toEqual(['.', '}', 'from']);
  });

  test('looks into the expressions of a template', () => {
    expect(specifiers("const t = `${await import('./a')} and ${{ a: `${await import('./b')}` }}`;")).toEqual([
      './a',
      './b',
    ]);
  });

  test.each([
    ['a regular expression with quotes', 'const quote = /[\'"`/]/u;'],
    ['one after a condition', "if (open) /'/.test(text);"],
    ['one after return', "function f() { return /'/; }"],
    ['one after a block', "{ }\n/'/.exec(text);"],
    ['division', "const x = a / b; const y = 'x' / c;"],
    ['division after a bracket', "const x = (a + b) / list[0] / 'a';"],
    ['division after a non-null assertion', 'const x = list[0]! / total; const y = "\'" / 2;'],
    ['division after a postfix operator', 'const x = i++ / 2; const y = "\'" / 2;'],
    ['a negated regular expression', "if (!/'/.test(text)) stop();"],
    ['a comparison with one', "const x = a !== /'/;"],
  ])('goes on rightly after %s', (_, line) => {
    expect(specifiers(`${line}\nimport './after';`)).toEqual(['./after']);
  });
});
