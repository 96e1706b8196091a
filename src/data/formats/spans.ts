import type { JsonFormat } from '../format.ts';
import { isRecord, idOf, listOf, textOf, without } from '../record-fields.ts';
import { spanItems } from './span-items.ts';

const IDS = ['id', 'doc_id', 'case'];
const NAMES = { start: 'start', end: 'end', label: 'label', text: 'text' };
const READ = new Set(['id', 'doc_id', 'case', 'text', 'spans', 'gold', 'predicted', 'predictions']);

/** The plain form: one case a line with its spans; `gold` and `predicted` where both sides share a file. */
export const spans: JsonFormat = {
  kind: 'json',
  name: 'spans',
  about: 'one JSON record per case with a list of labelled spans',
  example: '{"id":"d1","text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON","text":"Ann"}]}',
  detects: (record) =>
    IDS.some((name) => name in record) &&
    (looksLikeSpans(record['spans']) ||
      looksLikeSpans(record['gold']) ||
      looksLikeSpans(record['predicted']) ||
      (typeof record['text'] === 'string' && !('items' in record))),
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const side = (name: string) => {
      const value = record[name];
      if (value === undefined || value === null) return null;
      const list = listOf(value, name, line, context);
      return list === null ? null : spanItems(list, NAMES, name, line, context);
    };
    const own = side('spans');
    const gold = side('gold') ?? (context.role === 'predictions' ? null : own);
    const predicted = side('predicted') ?? side('predictions') ?? (context.role === 'predictions' ? own : null);
    return {
      id,
      line,
      text: textOf(record['text'], 'text', line, context),
      fields: without(record, READ),
      gold: context.role === 'predictions' ? null : gold,
      predicted: context.role === 'gold' ? null : predicted,
      failed: typeof record['error'] === 'string' ? record['error'] : null,
    };
  },
};

function looksLikeSpans(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const first: unknown = value[0];
  return value.length === 0 || (isRecord(first) && 'start' in first && 'end' in first);
}
