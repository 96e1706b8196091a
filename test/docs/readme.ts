import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../cli/run-assay.ts';
import { blocksIn } from './blocks.ts';
import { notPrinted, type Shell, stepsOfBlock } from './transcript.ts';

const TEXT = readFileSync(join(ROOT, 'README.md'), 'utf8');
export const README_BLOCKS = blocksIn('README.md', TEXT);

/**
 * What of the README is not so in a shell: the way from two files to a report, and the commands of the table. The files
 * of the reader are copies from the folder of examples.
 */
export function readmeProblems(shell: Shell, examples = join(ROOT, 'examples')): string[] {
  for (const [file, name] of FILES) cpSync(join(examples, file), join(shell.folder, name), { recursive: true });
  writeFileSync(join(shell.folder, 'quotes.json'), JSON.stringify(QUOTES));
  const steps = README_BLOCKS.filter(({ language }) => language === 'console').flatMap(({ content }) =>
    stepsOfBlock(content),
  );
  const table = [...TEXT.matchAll(/^\|.*\| `(assay [^`]+)` \|$/gm)].map(([, command]) => command!);
  const [, columns = 'lacking'] = /`(--columns [^`]+)`/.exec(TEXT) ?? [];
  const commands = [
    ...MADE,
    ...table,
    `assay score spans/strict --gold table.csv --predictions table-out.csv ${columns}`,
  ];
  const problems = [...steps, ...commands.map((command) => ({ command, shown: ['…'] }))].flatMap(
    ({ command, shown }) => {
      const printed = shell.run(command);
      const missing = notPrinted(shown, printed);
      const code = shell.run('echo $?').trim();
      return missing === '' && code === '0' ? [] : [`${command}\n\n${printed}\nexit ${code}, not as shown:${missing}`];
    },
  );
  if (steps.length < 3 || table.length < 11) problems.push('the README has lost commands');
  return problems;
}

/** Examples, under the names that the table has for files of a reader. */
const FILES = [
  ['spans/doccano.jsonl', 'doccano.jsonl'],
  ['spans/hf.json', 'hf.json'],
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
