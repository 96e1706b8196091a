// Finds words in src/, web/, docs/ and README.md that the style of our English avoids, with what to write instead.
// Usage: node tools/english.mjs [ROOT]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What not to write, and what to write instead. Each is looked for in comments, strings, texts and pages alike.
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

/**
 * Further ones in pages, where no code is in the way.
 * @type {[RegExp, string][]}
 */
const AVOIDED_IN_PAGES = [
  [/^(?:[-*] )?Where (?!to\b)[^\n.?]*?,/u, 'If …, or When …'],
  [/, where (?:there|it|they|that|this) [^\n.;]*?(?:[.;]|$)/u, 'if …'],
  [/\b(?:say|said|told)\b/iu, 'reports, prints, shows, warns, lists'],
  [/\bbeside\b(?!s)/iu, 'next to, besides'],
  [/\bunless told\b/iu, 'by default'],
  [/\bone'?s own\b|\bof one’s own\b/iu, 'custom'],
  [/\bpacked\b(?! (?:install|tarball))/iu, 'compressed'],
  [/\bwhat may leave the house\b|\badding it up yourself\b/iu, 'a plain heading'],
];

/** Texts whose words are data: prompts that models were sent, ids of notices, and the form of a published study. */
const KEPT = [
  /^src\/stream\/(?:replay\/prompts|replay\/recorded-model|generate\/conversation|generate\/scripted-model)\.ts$/,
  /^src\/review\/judge\/(?:open-judge|plan-judging)\.ts$/,
  /^src\/recipe\/presets\/consult\/ayurmind\.yaml$/,
];
const KEPT_LINE = /hash-of-unpacked-trace/;

const PAGE = /\.md$/;
const SOURCE = /(?:\.(?:ts|tsx|css|yaml|html)|\/words\.json)$/;

/**
 * @typedef {{ file: string, line: number, text: string, found: string, instead: string }} Slip
 * @param {string} root
 * @returns {Slip[]}
 */
export function findSlips(root) {
  /** @type {Slip[]} */
  const slips = [];
  const sources = [...listFiles(root, 'src', SOURCE), ...listFiles(root, 'web', SOURCE)];
  for (const file of [...sources, ...listPages(root)]) {
    const isPage = PAGE.test(file);
    const written = readFileSync(path.join(root, file), 'utf8');
    const lines = (isPage ? withoutOutput(written) : written).split('\n');
    if (KEPT.some((pattern) => pattern.test(file))) continue;
    for (const [at, text] of lines.entries())
      for (const [pattern, instead] of isPage ? [...AVOIDED, ...AVOIDED_IN_PAGES] : AVOIDED) {
        const found = KEPT_LINE.test(text) ? undefined : pattern.exec(text)?.[0];
        if (found !== undefined) slips.push({ file, line: at + 1, text: text.trim(), found: found.trim(), instead });
      }
  }
  return slips;
}

/** Generated pages repeat texts of src, where they are looked for. @param {string} root @returns {string[]} */
function listPages(root) {
  const pages = existsSync(path.join(root, 'docs')) ? listFiles(root, 'docs', PAGE) : [];
  const readme = existsSync(path.join(root, 'README.md')) ? ['README.md'] : [];
  return [...pages, ...readme].filter((file) => !file.startsWith('docs/reference/'));
}

/** A page without its code and output, whose words are checked where they come from; lines keep their numbers. @param {string} text */
function withoutOutput(text) {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, '')).replaceAll(/`[^`\n]*`/g, '');
}

/** @param {string} root @param {string} folder @param {RegExp} ending @returns {string[]} */
function listFiles(root, folder, ending) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(`/${entry.name}`))
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
