import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { example, ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { blocksIn } from './blocks.ts';
import { notPrinted, Shell, stepsOfBlock } from './transcript.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const BLOCKS = blocksIn('README.md', README);
const of = (language: string): readonly string[] =>
  BLOCKS.filter((block) => block.language === language).map(({ content }) => content);

it('has blocks of the kinds that are tested below', () => {
  expect(BLOCKS.map(({ language }) => language)).toEqual(['sh', 'console', 'console', 'yaml']);
});

it('names the two commands, which are scripts of the package', () => {
  expect(of('sh')).toEqual(['npm ci && npm run demo\nnpm ci && npm test\n']);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

it('leads from a Hugging Face output and a doccano file to a report, as the program prints it today', () => {
  const shell = new Shell(temporaryFolder());
  for (const file of ['doccano.jsonl', 'hf.json']) cpSync(example(`spans/${file}`), join(shell.folder, file));
  for (const { command, shown } of of('console').flatMap(stepsOfBlock)) {
    const printed = shell.run(command);
    expect(notPrinted(shown, printed), `${command}\n\n${printed}`).toBe('');
    expect(shell.run('echo $?')).toBe('0\n');
  }
});

it('shows a recipe that can be used', async () => {
  const file = join(temporaryFolder(), 'recipe.yaml');
  writeFileSync(file, of('yaml').join(''));
  const { resolved } = await planRecipe(file);
  expect(resolved.pair).toMatchObject({ span: { accept: [{ tolerance: 1 }] } });
});

it('names a command for each kind of data that runs on such files', { timeout: 300_000 }, () => {
  const shell = new Shell(temporaryFolder());
  for (const [file, name] of FILES) cpSync(example(file), join(shell.folder, name), { recursive: true });
  writeFileSync(join(shell.folder, 'quotes.json'), JSON.stringify(QUOTES));
  for (const line of MADE) succeed(shell, line);
  const commands = [...README.matchAll(/^\|.*\| `(assay [^`]+)` \|$/gm)].map(([, command]) => command!);
  expect(commands.length).toBe(11);
  for (const command of commands) succeed(shell, command);
  const [, columns = ''] = /`(--columns [^`]+)`/.exec(README) ?? [];
  expect(columns).not.toBe('');
  succeed(shell, `assay score spans/strict --gold table.csv --predictions table-out.csv ${columns}`);
});

function succeed(shell: Shell, command: string): void {
  const printed = shell.run(command);
  expect(shell.run('echo $?'), `${command}\n\n${printed}`).toBe('0\n');
}

/** Examples, under the names that the table has for files of a reader. */
const FILES = [
  ['spans/doccano.jsonl', 'gold.jsonl'],
  ['spans/hf.json', 'out.json'],
  ['pii/gold.bio', 'gold.conll'],
  ['pii/predictions.bio', 'pred.conll'],
  ['pii/gold.csv', 'table.csv'],
  ['pii/predictions.csv', 'table-out.csv'],
  ['pii/docs.json', 'docs.json'],
  ['triples/gold.jsonl', 'triples.jsonl'],
  ['triples/predictions.jsonl', 'triples-out.jsonl'],
  ['relations/gold.jsonl', 'gold-relations.jsonl'],
  ['relations/predictions.jsonl', 'out-relations.jsonl'],
  ['logs/small-model.json', 'small-model.json'],
  ['stream/traces', 'traces'],
  ['stream/answers', 'answers'],
  ['consult/cases.csv', 'cases.csv'],
  ['consult/plain.jsonl', 'plain.jsonl'],
  ['consult/reviews.csv', 'reviews.csv'],
] as const;

const MADE = [
  'assay convert gold.jsonl corpus --to brat',
  'assay convert gold.jsonl system --to brat',
  'assay convert triples.jsonl gold.csv --to csv',
  'assay convert triples-out.jsonl out.csv --to csv',
];

/** What a language model returns for the texts 101 and 105. */
const QUOTES = [
  { id: 101, entities: [{ text: 'Ann Lee', label: 'PER' }] },
  { id: 105, entities: [{ text: 'Turin', label: 'LOC' }] },
];
