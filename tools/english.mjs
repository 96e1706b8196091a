// Finds words in the texts of src/ and web/ that the style of our English avoids, with what to write instead.
// Usage: node tools/english.mjs [ROOT]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What not to write, and what to write instead. Each is looked for in comments, strings and texts alike.
 * @type {[RegExp, string][]}
 */
const AVOIDED = [
  [/(?:^|[.;:(`'"*/] ?|\* )Where (?!to\b|is\b|are\b|it is\b)[^\n.?]*?,/u, 'If …, or When …'],
  [/\bthe usual\b|\busually \d|\(usual:/iu, 'default'],
  [/\bmends?\b|\bmended\b|\bmending\b/iu, 'fix'],
  [/\banew\b/iu, 'again'],
  [/\ball the same\b/iu, 'anyway'],
  [/\bin one go\b/iu, 'in one step'],
  [/\bgo(?:es)? on (?:where|with)\b|\bgoes on from\b/iu, 'resumes, continues'],
  [/\b(?:stands?|lies?) in\b(?! for)/iu, 'is in'],
  [/\bcomes? with\b/iu, 'includes, has'],
  [/\bwhat is right\b/iu, 'gold annotations'],
  [/\bwhat (?:the|a|one) (?:system|model|run) (?:said|says)\b/iu, 'model output'],
  [/\bof (?:one's|one’s|your|its|their|our) own\b/iu, 'custom, its own …'],
  [/\bmay be given again\b|\bgiven again\b/iu, 'repeatable'],
  [/\bunpack(?:ed|s|ing)?\b/iu, 'decompress'],
  [/\bhangs? on\b/iu, 'depends on'],
  [/\bis no (?:file|folder|run|number|name|verdict|text)\b|\bthere is none\b/iu, 'is not a …, none'],
  [/\bcame near\b|(?<!['.])\bnearest\b(?![?:])/iu, 'closest'],
  [/\bwhoever\b/iu, 'you, reviewers, annotators'],
  [/\bcannot (?:be )?te?ll?(?:old|d)?\b|\bcannot tell\b/iu, 'inconclusive'],
  [/\b(?:says|tells|is told|are told|is said|was told|was said)\b/iu, 'reports, prints, shows, warns, lists'],
];

/** Texts whose words are data: prompts that models were sent, ids of notices, and the form of a published study. */
const KEPT = [
  /^src\/stream\/(?:replay\/prompts|replay\/recorded-model|generate\/conversation|generate\/scripted-model)\.ts$/,
  /^src\/review\/judge\/(?:open-judge|plan-judging)\.ts$/,
  /^src\/recipe\/presets\/consult\/ayurmind\.yaml$/,
];
const KEPT_LINE = /hash-of-unpacked-trace/;

const SOURCE = /(?:\.(?:ts|tsx|css|yaml|html)|\/words\.json)$/;

/**
 * @typedef {{ file: string, line: number, text: string, found: string, instead: string }} Slip
 * @param {string} root
 * @returns {Slip[]}
 */
export function findSlips(root) {
  /** @type {Slip[]} */
  const slips = [];
  for (const file of [...listFiles(root, 'src'), ...listFiles(root, 'web')]) {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    if (KEPT.some((pattern) => pattern.test(file))) continue;
    for (const [at, text] of lines.entries())
      for (const [pattern, instead] of AVOIDED) {
        const found = KEPT_LINE.test(text) ? undefined : pattern.exec(text)?.[0];
        if (found !== undefined) slips.push({ file, line: at + 1, text: text.trim(), found: found.trim(), instead });
      }
  }
  return slips;
}

/** @param {string} root @param {string} folder @returns {string[]} */
function listFiles(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(`/${entry.name}`))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const slips = findSlips(path.resolve(process.argv[2] ?? '.'));
  for (const { file, line, found, instead } of slips) console.log(`${file}:${line}: "${found}": ${instead}`);
  console.log(`english: ${slips.length} to rewrite`);
  if (slips.length > 0) process.exitCode = 1;
}
