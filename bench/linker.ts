/**
 * What the concept linker costs on knowledge bases the size of UMLS: `node tools/runtime/run.js bench/linker.ts` makes
 * 1 and 4 million aliases, or as many as are named (`bench/linker.ts 200000`), and builds, loads and links, each in a
 * process of its own so that memory can be told apart. Not part of `npm run bench`: it takes minutes.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildIndex, SCISPACY_MIN_DF } from '../src/stream/concepts/linker/build-index.ts';
import { DEFAULT_LINKING, linkerExtractor } from '../src/stream/concepts/linker/linker-extractor.ts';
import { loadIndex, writeIndex } from '../src/stream/concepts/linker/linker-index.ts';
import { mentions } from '../src/stream/concepts/linker/mentions.ts';
import { openKnowledgeBase } from '../src/stream/concepts/linker/read-kb.ts';
import { comparedText } from '../src/stream/concepts/linker/tokens.ts';

const SENTENCES = 200;
const [phase = '', file = '', size = ''] = process.argv.slice(2);

const PREFIXES = list(
  'hyper hypo peri endo epi intra sub supra poly oligo a dys neo para pan hemi brady tachy macro micro',
);
const ROOTS = list(
  'cardi hepat nephr gastr enter col oste arthr my neur encephal mening derm hem angi phleb lymph aden thyr pancreat ' +
    'pneum bronch rhin laryng ot ophthalm retin kerat chol cyst pyel ureter prostat orchi oophor salping mast lip glyc ' +
    'natr kal calc ur album protein leuk erythr thromb cerebell spin myel gli fibr carcin sarc',
);
const SUFFIXES = list(
  'itis osis oma emia uria opathy ectomy otomy oscopy ography algia asthenia ogenesis omegaly oplasty olysis openia ' +
    'ocele orrhea ostomy oedema ophilia orrhagia otoxicity',
);
const SITES = list(
  'heart liver kidney stomach colon femur knee shoulder hip spine brain skin vein artery node gland pancreas lung ' +
    'bronchus larynx ear eye retina cornea bladder ureter prostate testis ovary breast wrist ankle elbow hand foot ' +
    'mandible maxilla tongue tonsil esophagus duodenum jejunum ileum rectum spleen thymus cerebellum',
);
const STATES = list(
  'acute chronic subacute recurrent severe mild congenital acquired idiopathic secondary primary benign malignant ' +
    'metastatic infectious autoimmune hereditary traumatic postoperative drug-induced',
);
const THINGS = list(
  'pain swelling fracture injury infection abscess ulcer stenosis obstruction hemorrhage infarction atrophy neoplasm ' +
    'dislocation laceration hypertrophy dysfunction failure insufficiency deficiency syndrome disease disorder lesion',
);
const SIDES = list('left right bilateral upper lower anterior posterior lateral medial proximal distal');
const SYLLABLES = list(
  'ba ce di fo gu la me ni ro su ta ve xi zo pra tri flu clo nor eth pro mex dal ket lor sim vas ram tin',
);
const STEMS = list('mab nib pril sartan statin olol azole cillin mycin floxacin vir tidine prazole gliptin setron');
const FORMS = list('tablet capsule injection solution cream patch suspension syrup');
const GENERA = list('Streptococcus Bacillus Candida Aspergillus Clostridium Rickettsia Borrelia Salmonella Vibrio');
const GROUPS = list('methyl ethyl propyl phenyl chloro fluoro bromo hydroxy amino nitro oxo benzyl acetyl carboxy');
const PARENTS = list('benzene pyridine indole quinoline morpholine piperidine thiazole pyrimidine naphthalene purine');

function list(words: string): readonly string[] {
  return words.split(' ');
}

/** mulberry32: the same names everywhere. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Maker {
  readonly below: (limit: number) => number;
  readonly pick: (from: readonly string[]) => string;
}

function maker(seed: number): Maker {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)]! };
}

/** hyperlipemia, cardioangioplasty and their like. */
function term({ below, pick }: Maker): string {
  return `${below(2) === 0 ? pick(PREFIXES) : ''}${pick(ROOTS)}${below(3) === 0 ? `o${pick(ROOTS)}` : ''}${pick(SUFFIXES)}`;
}

function disorder(make: Maker): string[] {
  const { below, pick } = make;
  const [state, side, site] = [pick(STATES), pick(SIDES), pick(SITES)];
  const what = below(3) === 0 ? pick(THINGS) : term(make);
  const more = below(4) === 0 ? ` with ${term(make)}` : below(5) === 0 ? `, stage ${1 + below(4)}` : '';
  return [
    `${state} ${what} of ${side} ${site}${more}`,
    `${side} ${site} ${what}, ${state}${more}`,
    `${capital(what)} of ${site}, ${side}, ${state}${more} (disorder)`,
    `${state} ${side} ${site} ${what}${more}`.toUpperCase(),
  ];
}

function drug({ below, pick }: Maker): string[] {
  const name = `${pick(SYLLABLES)}${pick(SYLLABLES)}${below(2) === 0 ? pick(SYLLABLES) : ''}${pick(STEMS)}`;
  const dose = `${[5, 10, 20, 25, 40, 50, 100, 250, 500][below(9)]!} MG`;
  const form = pick(FORMS);
  return [`${name} ${dose} oral ${form}`, `${capital(name)} ${dose} ${capital(form)}`, `${name} ${form}`];
}

function chemical({ below, pick }: Maker): string[] {
  const parts = Array.from({ length: 1 + below(3) }, () => `${1 + below(8)}-${pick(GROUPS)}`).join('-');
  const parent = pick(PARENTS);
  const inner = below(2) === 0 ? `-(${1 + below(6)}-${pick(GROUPS)}${pick(GROUPS)})` : '';
  return [
    `${parts}${inner}${parent}`,
    `${capital(parent)}, ${parts}${inner}-`,
    `${parts.replaceAll('-', ' ')} ${parent}`,
  ];
}

function organism({ below, pick }: Maker): string[] {
  const name = `${pick(GENERA)} ${pick(SYLLABLES)}${pick(SYLLABLES)}${pick(SYLLABLES)}ensis`;
  const strain = `${String.fromCharCode(65 + below(26))}${below(10_000)}`;
  return [`${name} ${strain}`, `${name} str. ${strain}`, `strain ${strain} of ${name}`];
}

const KINDS = [disorder, disorder, disorder, drug, chemical, organism];

/** Concepts in scispaCy's shape until there are so many different aliases; a twentieth has a definition. */
function* concepts(aliases: number, seed: number): Generator<object> {
  const make = maker(seed);
  const made = new Set<number>();
  for (let at = 0; made.size < aliases; at += 1) {
    const names = KINDS[make.below(KINDS.length)]!(make).slice(0, 1 + make.below(4));
    for (const name of names) made.add(hashOf(name));
    yield {
      concept_id: `C${String(at).padStart(7, '0')}`,
      canonical_name: names[0],
      aliases: names.slice(1),
      types: [`T${String(make.below(130)).padStart(3, '0')}`],
      definition: make.below(20) === 0 ? 'A thing that was made up.' : null,
    };
  }
}

/** 52 bits, which stand for a name: the names themselves would be too much to hold. */
function hashOf(name: string): number {
  let [a, b] = [0x811c9dc5, 0x9e3779b1];
  for (let at = 0; at < name.length; at += 1) {
    a = Math.imul(a ^ name.charCodeAt(at), 0x01000193);
    b = Math.imul(b ^ name.charCodeAt(at), 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 6) * 2 ** 26 + (b >>> 6);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What a clinician may say with such names, and not always letter by letter. */
function sentences(count: number, seed: number): string[] {
  const make = maker(seed);
  return Array.from({ length: count }, () => {
    const names = [
      disorder(make)[make.below(4)]!,
      drug(make)[make.below(3)]!,
      term(make),
      `${make.pick(SITES)} ${make.pick(THINGS)}`,
    ];
    const other = names[3]!.replace(/(.)(.)$/, '$2$1');
    return `The patient presents with ${names[0]!} and was started on ${names[1]!}; ${names[2]!} is less likely given the ${names[3]!}, although ${other} and further evaluation by imaging should be considered.`;
  });
}

/** The most memory that the process has had so far, and what it has now. */
function memory(): string {
  const most = process.resourceUsage().maxRSS / 1024;
  return `${(process.memoryUsage().rss / 1048576).toFixed(0)} MB now, ${most.toFixed(0)} MB at most`;
}

/** By the clock, and of the processors: other work on the machine changes the one, hardly the other. */
function stopwatch(): () => { readonly clock: number; readonly processor: number; readonly text: string } {
  const started = performance.now();
  const used = process.cpuUsage();
  return () => {
    const clock = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(used);
    const processor = (user + system) / 1e6;
    return { clock, processor, text: `${clock.toFixed(1)} s (${processor.toFixed(1)} s of processor)` };
  };
}

async function build(): Promise<void> {
  const watch = stopwatch();
  const kb = await openKnowledgeBase([`${file}.jsonl`]);
  const index = await buildIndex(kb.concepts(), { minDf: SCISPACY_MIN_DF, facts: () => kb.facts() });
  const bytes = writeIndex(index, `${file}.idx`);
  const { trigramDf, postings, conceptNames } = index.arrays;
  const pairs = trigramDf.reduce((sum, df) => sum + df, 0);
  console.log(`  aliases ${index.aliasCount}, concepts ${conceptNames.length}`);
  console.log(`  trigrams ${trigramDf.length}, postings ${pairs} in ${postings.length} bytes`);
  console.log(`  knowledge base ${statSync(`${file}.jsonl`).size} bytes, index ${bytes} bytes`);
  console.log(`  built and written in ${watch().text}; memory ${memory()}`);
}

async function link(): Promise<void> {
  const loading = stopwatch();
  const index = await loadIndex(`${file}.idx`);
  console.log(`  loaded in ${loading().text}; memory ${memory()}`);
  const texts = sentences(SENTENCES, 7);
  const different = new Set<string>();
  for (const text of texts)
    for (const mention of mentions(text, index, DEFAULT_LINKING)) different.add(comparedText(mention.text));
  const extractor = await linkerExtractor({ index });
  const linking = stopwatch();
  let found = 0;
  for (const text of texts) found += (await extractor.extract(text)).length;
  const took = linking();
  const rate = (seconds: number): string => (different.size / seconds).toFixed(0);
  console.log(`  ${SENTENCES} sentences, ${different.size} different mentions, ${found} concepts in ${took.text}`);
  console.log(`  ${rate(took.clock)} mentions/s (${rate(took.processor)} by processor time); memory ${memory()}`);
  const again = stopwatch();
  for (const text of texts) await extractor.extract(text);
  console.log(`  the same sentences again in ${again().text}`);
}

function generate(aliases: number, to: string): void {
  const opened = openSync(to, 'w');
  let held = '';
  for (const concept of concepts(aliases, 42)) {
    held += `${JSON.stringify(concept)}\n`;
    if (held.length < 1 << 20) continue;
    writeSync(opened, held);
    held = '';
  }
  writeSync(opened, held);
  closeSync(opened);
}

function all(sizes: readonly number[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-linker-'));
  try {
    for (const aliases of sizes) {
      console.log(`${aliases} aliases, Node ${process.version}`);
      const base = join(folder, String(aliases));
      for (const name of ['generate', 'build', 'link']) {
        const own = [...process.execArgv, import.meta.filename, name, base, String(aliases)];
        const { status } = spawnSync(process.execPath, own, { stdio: 'inherit' });
        if (status !== 0) {
          process.exitCode = status ?? 1;
          return;
        }
      }
      console.log('');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (phase === 'generate') generate(Number(size), `${file}.jsonl`);
else if (phase === 'build') await build();
else if (phase === 'link') await link();
else all(phase === '' ? [1_000_000, 4_000_000] : process.argv.slice(2).map(Number));
