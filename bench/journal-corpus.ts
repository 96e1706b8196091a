import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS =
  `a about after again all and are at back bad bed better bread bus but by calm came cold day did dinner down dream drank early
  ended evening felt few for friend from garden good had half head headache heavy home hot hour in it knee last late less lay
  light like long lunch mild mind more morning much my neck new night no noon not of off on once open out over pain quiet rain
  rather rest rice river said sat sharp short shoulder since slept slow so some soon soup still stomach tea than that the then
  there tired to today too took two until up very walk warm was water week well went while window with woke work`.split(
    /\s+/,
  );
const DOMAINS = ['symptom', 'food', 'emotion', 'mind'];
const LEVELS = ['low', 'medium', 'high'];

/** The files of `entries` made-up diary entries of 60 words with two to six objects each; the same bytes everywhere. */
export function writeJournals(
  folder: string,
  entries: number,
): { readonly cases: string; readonly gold: string; readonly predictions: string } {
  let state = 42;
  const next = (): number => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const lines = { cases: '', gold: '', predictions: '' };
  for (let entry = 0; entry < entries; entry += 1) {
    const id = `J${String(entry).padStart(6, '0')}`;
    const words = Array.from({ length: 60 }, () => pick(WORDS));
    const object = (): Record<string, string> => {
      const from = Math.floor(next() * 56);
      const domain = pick(DOMAINS);
      return {
        domain,
        evidence_span: words.slice(from, from + 2 + Math.floor(next() * 3)).join(' '),
        polarity: next() < 0.8 ? 'present' : 'absent',
        [domain === 'emotion' ? 'arousal_bucket' : 'intensity_bucket']: pick(LEVELS),
        time_bucket: 'today',
      };
    };
    const gold = Array.from({ length: 2 + Math.floor(next() * 5) }, object);
    const predicted = gold.flatMap((one) => {
      const fate = next();
      if (fate < 0.7) return [one];
      if (fate < 0.8) return [{ ...one, evidence_span: one['evidence_span']!.replace(/ \S+$/, '') }];
      return fate < 0.85 ? [{ ...one, polarity: 'uncertain' }] : [];
    });
    if (next() < 0.4) predicted.push(object());
    lines.cases += `${JSON.stringify({ journal_id: id, text: words.join(' ') })}\n`;
    lines.gold += `${JSON.stringify({ journal_id: id, items: gold })}\n`;
    lines.predictions += `${JSON.stringify({ journal_id: id, items: predicted })}\n`;
  }
  const written = (name: keyof typeof lines): string => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, lines[name]);
    return path;
  };
  return { cases: written('cases'), gold: written('gold'), predictions: written('predictions') };
}
