import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** mulberry32: a small seeded generator, enough to make the same corpus everywhere. */
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

const SYLLABLES = [
  'ba',
  'ke',
  'lo',
  'mi',
  'nu',
  'ra',
  'se',
  'ti',
  'vo',
  'an',
  'er',
  'is',
  'om',
  'und',
  'art',
  'øst',
  'ład',
  'ím',
];
const LABELS = ['PERSON', 'LOC', 'ORG', 'DATETIME', 'DEM', 'CODE'];

/** Writes `documents` records {id, text, gold, predicted} with about 20 spans a side, 4.4 KB each; the same bytes for the same seed. */
export function writeCorpus(path: string, documents: number, seed = 42): void {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const file = openSync(path, 'w');
  let held = '';
  for (let d = 0; d < documents; d += 1) {
    const starts: number[] = [];
    const ends: number[] = [];
    let text = '';
    while (text.length < 1700) {
      let word = '';
      for (let s = 1 + Math.floor(next() * 3); s > 0; s -= 1) word += pick(SYLLABLES);
      starts.push(text.length);
      text += word;
      ends.push(text.length);
      text += next() < 0.1 ? '. ' : ' ';
    }
    const gold: object[] = [];
    const predicted: object[] = [];
    const span = (from: number, to: number, label: string): object => ({
      start: starts[from],
      end: ends[to],
      label,
      text: text.slice(starts[from], ends[to]),
    });
    for (let w = 0; w < starts.length; w += 12 + Math.floor(next() * 6)) {
      const last = Math.min(starts.length - 1, w + Math.floor(next() * 3));
      const label = pick(LABELS);
      const fate = next();
      if (fate < 0.9) gold.push(span(w, last, label));
      if (fate < 0.6) predicted.push(span(w, last, label));
      else if (fate < 0.7) predicted.push(span(w, Math.min(starts.length - 1, last + 1), label));
      else if (fate < 0.8) predicted.push(span(w, last, pick(LABELS)));
      else if (fate >= 0.9) predicted.push(span(w, last, label));
      if (fate > 0.3 && fate < 0.4) predicted.push(span(w, w, label));
    }
    held += `${JSON.stringify({ id: `doc-${d}`, text, gold, predicted })}\n`;
    if (held.length > 1 << 20) {
      writeSync(file, held);
      held = '';
    }
  }
  writeSync(file, held);
  closeSync(file);
}

/** Writes one record with `spans` spans a side, each of which overlaps the next: half are right, the others are off by some characters. */
export function writeWideDocument(path: string, spans: number, seed = 42): void {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  let text = '';
  while (text.length < spans * 8 + 16) text += pick(SYLLABLES);
  const span = (start: number, end: number, label: string): object => ({
    start,
    end,
    label,
    text: text.slice(start, end),
  });
  const [gold, predicted]: [object[], object[]] = [[], []];
  for (let at = 0; at < spans; at += 1) {
    const [start, label] = [at * 8, pick(LABELS)];
    gold.push(span(start, start + 10, label));
    const off = next() < 0.5 ? 0 : 1 + Math.floor(next() * 4);
    predicted.push(span(start + off, start + 10 + off, next() < 0.9 ? label : pick(LABELS)));
  }
  writeFileSync(path, `${JSON.stringify({ id: 'wide', text, gold, predicted })}\n`);
}

/**
 * Writes one item of the graph task with `names` entities a side: half of the names are right, some have one typing mistake,
 * some three, and a tenth are others. The same names are in gold.txt and predicted.txt, one a line.
 */
export function writeNames(folder: string, names: number, seed = 42): void {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const word = (): string => Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(SYLLABLES)).join('');
  const name = (): string => [word(), word(), ...(next() < 0.3 ? [word()] : [])].join(' ');
  const mistyped = (text: string): string => {
    const at = Math.floor(next() * text.length);
    const letter = pick(SYLLABLES).charAt(0);
    const fate = Math.floor(next() * 3);
    return text.slice(0, at) + (fate === 0 ? '' : letter) + text.slice(fate === 1 ? at : at + 1);
  };
  const [gold, predicted]: [string[], string[]] = [[], []];
  for (let at = 0; at < names; at += 1) {
    const right = name();
    const fate = next();
    gold.push(right);
    if (fate < 0.5) predicted.push(right);
    else if (fate < 0.8) predicted.push(mistyped(right));
    else if (fate < 0.9) predicted.push(mistyped(mistyped(mistyped(right))));
    else predicted.push(name());
  }
  predicted.sort();
  const entity = (each: string): object => ({ name: each, type: 'Person' });
  const write = (file: string, record: object): void =>
    writeFileSync(join(folder, file), `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder, 'gold.txt'), gold.join('\n'));
  writeFileSync(join(folder, 'predicted.txt'), predicted.join('\n'));
  write('items.jsonl', { id: 'one', input: {}, expectedOutput: { entities: gold.map(entity), relationships: [] } });
  const entities = predicted.map((each, at) => ({ temp_id: `e${at}`, ...entity(each) }));
  write('answers.jsonl', { id: 'one', output: { entities, relationships: [] } });
}
