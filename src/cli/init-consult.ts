import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { exampleFolder } from './examples.ts';

const FILES: readonly string[] = ['cases.csv', 'plain.jsonl', 'guided.jsonl', 'reviews.csv'];

/** As many of each group as the form asks for. */
const REVIEWERS: readonly string[] = [
  'Asha:expert',
  'Bela:expert',
  'Chand:expert',
  'Dev:annotator',
  'Esha:annotator',
  'Gita:practitioner',
  'Hari:practitioner',
];

/** What `init consult` puts into a folder. */
export function copyConsultExample(target: string): void {
  for (const file of FILES) cpSync(join(exampleFolder('consult'), file), join(target, file));
  writeFileSync(join(target, 'recipe.yaml'), RECIPE);
  writeFileSync(join(target, 'README.md'), README);
}

/** The commands to give next, in order, from within the folder. */
export function consultCommands(program: string): string[] {
  const answers = '--cases cases.csv --predictions plain.jsonl --predictions guided.jsonl';
  const people = REVIEWERS.map((who) => `--reviewer ${who}`);
  return [
    `${program} score recipe.yaml ${answers} --reviews reviews.csv --out runs`,
    `${program} explain runs/guided --case C03`,
    `${program} review create pilot --recipe recipe.yaml ${answers} ${people.join(' ')} --adjudicator Farah --owner Kim`,
    `${program} review serve pilot`,
  ];
}

const RECIPE = `# How consultations are judged, by rules and by people. Everything that is not said here is as in the preset;
# assay schema recipe shows every setting, assay score --help the presets.
extends: consult/ayurmind

# consult:
#   truth: given            # the class that the case file gives; experts: what they say; auto: experts once there are any
# prepare:
#   leave-out: off          # cases whose class is Unknown or Multiple stay in the denominator
#   find-components: { components: { diet: { en: [diet*, food*, recipe*] } } }
# slice: [label, complexity_level]
# review:
#   people: { expert: { title: experts, raters: 2 } }     # how many of a group are to rate each item
#   reveal: [system]        # what reviewers are shown once they have committed an item
`;

const README = `# Answers of an advisory system

| file | what |
|---|---|
| \`recipe.yaml\` | how answers are scored, and the form that people fill in: the preset, yours to change |
| \`cases.csv\` | six invented cases: id, what the person wrote, the class that is given, columns to group them by |
| \`plain.jsonl\` | answers of an imaginary system, in English |
| \`guided.jsonl\` | answers of another one, with what it retrieved; two of them also in Hindi |
| \`reviews.csv\` | what imaginary experts, annotators and practitioners said, with an adjudicator's decisions |

\`\`\`sh
${consultCommands('assay').join('\n')}
\`\`\`

The first scores both systems, compares them and writes \`runs/evaluation_summary_report.html\`; the second shows why an
answer was judged as it was; the third puts the same answers before your own reviewers, blinded and shuffled; the fourth
opens the review app, with a link for each of them. To go on:

- **Your files.** Replace \`cases.csv\`, and the answers by those of your systems: one JSON line for each case. Further
  columns of the cases become slices. Errors in a file are reported with the line.
- **Without a browser.** \`assay review export pilot --out sheets\` writes two CSV files for each reviewer,
  \`assay review import pilot sheets/Asha/*.csv\` reads them back as any spreadsheet saves them.
- **How far they are.** \`assay review status pilot\`; \`assay review adjudicate pilot\` lists what divides them.
- **With what they said.** The first command with \`--review pilot\` instead of \`--reviews reviews.csv\`.

What people have not rated is undefined, with the reason. Nothing here is medical advice.
`;
