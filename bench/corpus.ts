import { closeSync, openSync, writeSync } from 'node:fs';

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
