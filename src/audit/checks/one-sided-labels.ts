import { compareText } from '../../text/compare.ts';
import type { Run } from '../../score/run.ts';
import type { NewFinding } from '../check.ts';
import type { SubjectEvidence } from '../subject-evidence.ts';
import { count, counted, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** With fewer items than this, never meeting a label is ordinary bad luck: four misses at a recall of 0.7 come in one of a hundred sets. */
const FEWEST = 5;
/** A label with less of its side than this moves no overall figure by much. */
const WARNING_SHARE = 0.05;
const LABELS_NAMED = 8;

interface OneSided {
  readonly label: string;
  readonly n: number;
}

export interface OneSidedWords {
  /** "in gold and never predicted" */
  readonly title: string;
  readonly items: readonly [one: string, many: string];
  why(labels: readonly string[]): string;
  readonly todo: string;
}

/**
 * Findings about labels of one kind that only one side has: the weighty ones as a warning, the others as a note. With
 * fewer items than `weightyFrom` none is weighty.
 */
export function oneSided(
  found: readonly OneSided[],
  total: number,
  kind: string,
  words: OneSidedWords,
  evidence: SubjectEvidence,
  weightyFrom = FEWEST,
): NewFinding[] {
  const enough = found.filter(({ n }) => n >= FEWEST).toSorted((a, b) => b.n - a.n || compareText(a.label, b.label));
  const isWeighty = ({ n }: OneSided): boolean => n >= weightyFrom && n / total >= WARNING_SHARE;
  const weighty = enough.filter(isWeighty);
  const light = enough.filter((label) => !isWeighty(label));
  const finding = (labels: readonly OneSided[], severity: 'warning' | 'note'): NewFinding => {
    const names = labels.map(({ label }) => label);
    const sized = labels.map(
      ({ label, n }) => `${label} (${counted(n, ...words.items)}, ${percent(n, total)} of them)`,
    );
    return {
      severity,
      title: `${counted(found.length, 'label')} of the kind ${kind} ${found.length === 1 ? 'is' : 'are'} ${words.title}${
        found.length === labels.length
          ? ':'
          : `; ${count(enough.length)} of them ${enough.length === 1 ? 'has' : 'have'} ${FEWEST} items or more${enough.length === labels.length ? ':' : ', among them'}`
      } ${listed(sized, LABELS_NAMED)}`,
      why: words.why(names),
      todo: words.todo,
      subjects: names,
      ...evidence.of(names.map((label) => evidenceKey(kind, label))),
      only: (some) =>
        finding(
          labels.filter(({ label }) => some.has(label)),
          severity,
        ),
    };
  };
  return [
    ...(weighty.length === 0 ? [] : [finding(weighty, 'warning')]),
    ...(light.length === 0 ? [] : [finding(light, 'note')]),
  ];
}

export function evidenceKey(kind: string, label: string): string {
  return `${kind} ${label}`;
}

/** What stands on the other side where a label is not met, most often first: a label map may be missing. */
export function metInstead(run: Run, kind: string, side: 'gold' | 'predicted', label: string): string | null {
  const other = side === 'gold' ? 'predicted' : 'gold';
  const counts = run.measures.confusion.filter(
    (row) => row.scheme === null && row.kind === kind && row[side] === label && row[other] !== null,
  );
  const [most] = counts.toSorted((a, b) => b.n - a.n || compareText(a[other] ?? '', b[other] ?? ''));
  const name = most?.[other];
  return name === undefined || name === null || name === label
    ? null
    : `${name} stands there ${counted(most?.n ?? 0, 'time')}`;
}
