import { type CaseLine, lineKey } from './case-items.ts';
import type { Mark } from './marks.ts';

export interface Rating {
  readonly key: string;
  readonly person: string;
  readonly value: number;
}

/** What people said to one part of a question. */
export interface RatingRow {
  readonly question: string;
  readonly dimension: string;
  readonly ratings: readonly Rating[];
}

/** What a run answered and what became of its answer. */
export interface ConsultRun {
  readonly answer: string | null;
  readonly language: string | null;
  readonly classes: readonly CaseLine[];
  readonly components: readonly CaseLine[];
  readonly claims: readonly CaseLine[];
  readonly ticks: readonly CaseLine[];
  readonly readability: readonly CaseLine[];
  readonly people: readonly string[];
  readonly ratings: readonly RatingRow[];
  /** The highest point of the scale, as far as one can tell. */
  readonly best: number;
}

const USUAL_BEST = 5;

export function consultOf(lines: readonly CaseLine[]): ConsultRun {
  const of = (kind: string): readonly CaseLine[] => lines.filter(({ record }) => record.kind === kind);
  const answer = of('answer')[0]?.predicted?.item ?? null;
  const language = answer?.fields?.['language'];
  const given = of('rating').flatMap((line) => ratingOf(line) ?? []);
  const rows = Map.groupBy(given, ({ question, dimension }) => JSON.stringify([question, dimension]));
  return {
    answer: answer?.text ?? null,
    language: typeof language === 'string' ? language : null,
    classes: of('class'),
    components: of('component'),
    claims: inOrderOf(answer?.text ?? '', of('claim')),
    ticks: of('tick'),
    readability: of('readability'),
    people: [...new Set(given.map(({ rating }) => rating.person))],
    ratings: [...rows.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      return [{ question: first.question, dimension: first.dimension, ratings: own.map(({ rating }) => rating) }];
    }),
    best: given.reduce((best, { rating }) => Math.max(best, Math.ceil(rating.value)), USUAL_BEST),
  };
}

/** Claims as the answer makes them; those that it does not make word for word come last. */
function inOrderOf(answer: string, claims: readonly CaseLine[]): readonly CaseLine[] {
  const place = ({ predicted }: CaseLine): number => {
    const at = answer.indexOf(predicted?.item.text ?? '');
    return at < 0 ? answer.length : at;
  };
  return claims
    .map((line) => ({ line, at: place(line) }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

function ratingOf(
  line: CaseLine,
): { readonly question: string; readonly dimension: string; readonly rating: Rating } | null {
  const item = line.predicted?.item;
  const [key, value, question] = [lineKey(line), item?.fields?.['value'], item?.fields?.['question']];
  if (item === undefined || key === null || typeof value !== 'number' || !Number.isFinite(value)) return null;
  return {
    question: typeof question === 'string' ? question : '',
    dimension: item.label,
    rating: { key, person: item.annotator ?? '', value },
  };
}

/** The places of components and claims in the answer: components above its lines, claims below. */
export function answerMarks({ answer, components, claims }: ConsultRun): readonly Mark[] {
  if (answer === null) return [];
  const marks: Mark[] = [];
  const add = (line: CaseLine, words: unknown, row: number, key: string | undefined): void => {
    if (typeof words !== 'string' || words === '' || key === undefined) return;
    const start = answer.indexOf(words);
    if (start < 0) return;
    const { record } = line;
    const keys = [line.gold, line.predicted].flatMap((side) => side?.key ?? []);
    marks.push({
      id: key,
      selects: key,
      keys,
      piece: 0,
      row,
      start,
      end: start + words.length,
      label: record.label,
      verdicts: [record.verdict],
      name: `${record.verdict}, ${record.kind} ${record.label}, ‘${words}’`,
    });
  };
  for (const line of components) add(line, line.predicted?.item.fields?.['found'], 0, lineKey(line) ?? undefined);
  for (const line of claims) add(line, line.predicted?.item.text, 1, line.predicted?.key);
  return marks.sort((a, b) => a.start - b.start || a.row - b.row || b.end - a.end);
}
