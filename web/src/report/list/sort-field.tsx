import { readableText } from '../../readable-pieces.ts';
import { useReport } from '../report-context.ts';
import type { CaseSort, SortKey } from '../state.ts';
import type { CaseTable } from './case-table.ts';

interface Choice {
  readonly value: string;
  readonly words: string;
}

/** The order of the list, in words. */
export function SortField(props: { readonly table: CaseTable }) {
  const { head, state, go } = useReport();
  const choices: readonly Choice[] = [
    { value: 'file', words: 'order of the file' },
    { value: 'errors', words: 'most errors' },
    { value: 'id', words: 'id' },
    ...props.table.measures.map((name) => ({ value: `measure.${name}`, words: `worst ${readableText(name)}` })),
    ...(head.runs.length > 1 ? [{ value: 'change', words: 'change, worst first' }] : []),
  ];
  const value = valueOf(state.sort);
  const shown = choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, words: wordsOf(state.sort) }];
  return (
    <select
      class="sort-field"
      aria-label="Order"
      value={value}
      onChange={(event) => go({ sort: sortOf(event.currentTarget.value) }, 'replace')}
    >
      {shown.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.words}
          {choice.value === value && state.sort.reverse ? ', reversed' : ''}
        </option>
      ))}
    </select>
  );
}

const PLAIN: readonly SortKey[] = ['file', 'errors', 'id', 'change', 'hit', 'missed', 'spurious', 'excused'];

function wordsOf({ by, measure }: CaseSort): string {
  return by === 'measure' ? `worst ${readableText(measure ?? '')}` : `most ${by}`;
}

function valueOf({ by, measure }: CaseSort): string {
  return by === 'measure' ? `measure.${measure ?? ''}` : by;
}

function sortOf(value: string): CaseSort {
  if (value.startsWith('measure.')) return { by: 'measure', measure: value.slice('measure.'.length), reverse: false };
  return { by: PLAIN.find((key) => key === value) ?? 'file', measure: null, reverse: false };
}
