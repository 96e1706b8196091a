import { readCases } from '../../src/data/read-cases.ts';
import { fileSource, memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import type { Item } from '../../src/data/item.ts';

import { offsetMap } from '../../src/text/offsets.ts';
import { noReference, referencePath } from '../reference/reference-data.ts';
import type { Audit } from '../../src/audit/finding.ts';
import type { Run } from '../../src/score/run.ts';
import { AuditWatch } from '../../src/audit/audit-watch.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { Chance } from './content/made-texts.ts';

export type SpanRecord = Readonly<{ start: number; end: number; label: string }>;
/** A document as a line of a file has it; places are in code points. */
export type DocumentRecord = Readonly<{
  id: string;
  text: string;
  gold: readonly SpanRecord[];
  predicted: readonly SpanRecord[];
}>;

/** Scores documents and audits them, from a file as a user has it. */
export async function auditRecords(
  documents: readonly DocumentRecord[],
  recipe: string,
  set: readonly string[] = [],
): Promise<{ audit: Audit; run: Run; f1: number }> {
  const plan = await planRecipe(recipe, ['interval=off', ...set]);
  const file = documents.map((one) => `${JSON.stringify(one)}\n`).join('');
  const watch = new AuditWatch(plan);
  const reader = readCases({ cases: memorySource('documents.jsonl', file) }, plan.data);
  const run = await scoreToRun(plan, reader, { sink: watch.sink });
  const f1 = run.measures.measures.find(({ name, slice }) => name === 'f1' && Object.keys(slice).length === 0)?.value;
  return { audit: await watch.finish(run), run, f1: f1 ?? NaN };
}

/** The flags of an advice, as `--set` takes them. */
export function settingsIn(todo: string): string[] {
  return [...todo.matchAll(/--set (\S+=[^\s,;]+?)(?=[.,;]?(?:\s|$))/g)].map(([, setting]) => setting!);
}

/** What a published system found in court cases, with its labels in the names of gold; none without the data. */
export async function courtRecords(): Promise<DocumentRecord[]> {
  if (noReference) return [];
  const names: Readonly<Record<string, string>> = { LOCATION: 'LOC', NRP: 'DEM', DATE_TIME: 'DATETIME' };
  const { data } = await planRecipe('spans/strict');
  const cases = readCases({ cases: fileSource(referencePath('pii/tab_presidio_64.json')) }, data);
  const recordOf = ({ label, start, end }: Item): SpanRecord => ({ start, end, label: names[label] ?? label });
  const records: DocumentRecord[] = [];
  for await (const { id, text, gold, predicted } of cases) {
    const first = gold.filter(({ annotator }) => annotator === gold[0]?.annotator);
    records.push({ id, text: text!, gold: first.map(recordOf), predicted: predicted.map(recordOf) });
  }
  return records;
}

const FIRST = ['Anna', 'Bert', 'Carla', 'Dmitri', 'Élodie', 'Fatima', 'Göran', 'Hye-jin', 'Ibrahim', 'Jana'];
const LAST = ['Abel', 'Brandt', 'Castillo', 'Dlamini', 'Eriksen', 'Fontaine', 'Gupta', 'Hughes', 'Ito', 'Jensen'];
const PLACES = ['Oslo', 'New Delhi', 'Buenos Aires', 'Leeds', 'São Paulo', 'Ghent', 'Kyoto', 'Lake Tahoe'];
const FIRMS = ['Acme Inc.', 'Norsk Hydro', 'Bank of Ghent', 'Leeds United', 'Tata Motors', 'U.N.', 'Kyoto University'];
const TIMES = ['Monday', 'last week', '3 May 2011', 'the summer of 1999', '1987', '12 June'];
const TITLES = ['Mr ', 'Dr. ', 'Judge ', 'the late '];
const VERBS = ['met', 'sued', 'left', 'praised', 'founded', 'visited', 'criticised', 'joined'];
const FILLERS = [
  'in a long hearing',
  'as expected',
  'without further comment',
  'according to two people',
  '“for good”',
];
const EMOJI = ['🙂', '🎉', '🇳🇴', '👩‍🔬'];

type Style = Readonly<{
  sentences: number;
  /** Only the first sentences name something, as in news. */
  namedUpTo?: number;
  emoji?: number;
  /** What the system misses, cuts or widens by a word or a sign, confuses (ORG and LOC), and makes up. */
  missed: number;
  bounds: number;
  confused: number;
  invented: number;
}>;

/** Texts with names, and a system that errs as systems do: titles, articles, full stops and quotes, nested names. */
export function madeRecords(n: number, seed: number, style: Style): DocumentRecord[] {
  const chance = new Chance(seed);
  return Array.from({ length: n }, (_, at) => {
    let text = '';
    const gold: SpanRecord[] = [];
    const predicted: SpanRecord[] = [];
    const name = (label: string, title: string, words: string): void => {
      text += title;
      const start = text.length;
      text += words;
      gold.push({ start, end: text.length, label });
      if (chance.happens(style.missed)) return;
      const other = label === 'ORG' ? 'LOC' : label === 'LOC' ? 'ORG' : label;
      let span = { start, end: text.length, label: chance.happens(style.confused) ? other : label };
      if (chance.happens(style.bounds)) {
        const last = words.lastIndexOf(' ') + 1;
        const way = chance.below(4);
        if (way === 0 && title !== '') span = { ...span, start: start - title.length };
        else if (way === 1 && last > 0) span = { ...span, start: start + last };
        else if (way === 2) {
          // With the sign that follows it.
          text += chance.one(['.', ',', '’s', '”']);
          span = { ...span, end: text.length };
        } else if (words.endsWith('.')) span = { ...span, end: text.length - 1 };
      }
      predicted.push(span);
      // A place within the name of a firm.
      if (label === 'ORG' && inner(words) && chance.happens(0.3))
        predicted.push({ start: start + words.lastIndexOf(' ') + 1, end: start + words.length, label: 'LOC' });
    };
    for (let sentence = 0; sentence < style.sentences; sentence += 1) {
      if (chance.happens(style.emoji ?? 0)) text += `${chance.one(EMOJI)} `;
      if (sentence < (style.namedUpTo ?? Infinity)) {
        name('PER', chance.happens(0.4) ? chance.one(TITLES) : '', `${chance.one(FIRST)} ${chance.one(LAST)}`);
        text += ` ${chance.one(VERBS)} `;
        if (chance.happens(0.5)) name('ORG', chance.happens(0.3) ? 'the ' : '', chance.one(FIRMS));
        else name('LOC', '', chance.one(PLACES));
        if (chance.happens(0.5)) {
          text += ' on ';
          name('DATE', '', chance.one(TIMES));
        }
      } else text += `Nobody ${chance.one(VERBS)} anything`;
      if (chance.happens(style.invented)) {
        const start = text.length + 1;
        text += ' Parliament';
        predicted.push({ start, end: text.length, label: chance.one(['ORG', 'LOC']) });
      }
      text += ` ${chance.one(FILLERS)}. `;
    }
    return inCodePoints({ id: `d${at}`, text, gold, predicted });
  });
}

function inner(words: string): boolean {
  return words.includes(' ') && !words.endsWith('.');
}

function inCodePoints({ text, gold, predicted, ...rest }: DocumentRecord): DocumentRecord {
  const { fromUtf16 } = offsetMap(text, 'codepoint');
  const moved = ({ start, end, label }: SpanRecord): SpanRecord => {
    return { start: fromUtf16(start), end: fromUtf16(end), label };
  };
  return { ...rest, text, gold: gold.map(moved), predicted: predicted.map(moved) };
}
