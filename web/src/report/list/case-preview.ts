import type { CaseDetail, ViewRecord } from '../../../../src/report/html/report-data.ts';
import { itemWords } from '../case/item-words.ts';
import { foundPieces, wordFinder } from './search-words.ts';

/** A stretch of a preview: a word that was searched for, the place of an error, or what is around them. */
export interface PreviewPiece {
  readonly text: string;
  readonly is: 'plain' | 'found' | 'missed' | 'spurious';
}

/** Characters before what it is about, and in all: more than any line has room for. */
const BEFORE = 40;
const LENGTH = 320;

/**
 * A line of a case: its text around the first word that is searched for, else around the first error of a run, else from
 * its beginning. Without a text, or where the words are in none, it is that of an item.
 */
export function casePreview(detail: CaseDetail, run: number, words: readonly string[]): readonly PreviewPiece[] {
  const finder = wordFinder(words);
  const text = detail.text ?? '';
  if (finder !== null) {
    const at = text.search(finder);
    if (at >= 0) return around(text, at, finder);
    const item = recordsOf(detail)
      .map(recordText)
      .find((one) => one.search(finder) >= 0);
    if (item !== undefined) return around(item, item.search(finder), finder);
  }
  const own = detail.runs[run]?.records ?? [];
  const wrong = own.filter(({ verdict }) => verdict === 'missed' || verdict === 'spurious');
  if (text.trim() === '')
    return around((wrong[0] ?? own[0]) === undefined ? '' : recordText(wrong[0] ?? own[0]!), 0, null);
  const error = wrong.find(({ gold, predicted }) => (gold ?? predicted)?.start !== undefined);
  const item = error?.gold ?? error?.predicted;
  const { start = 0, end = 0 } = item?.fragments?.[0] ?? item ?? {};
  if (error === undefined || start >= end || end > text.length) return around(text, 0, null);
  const { from, to } = stretch(text, start);
  const [kind, last] = [error.verdict === 'missed' ? 'missed' : 'spurious', Math.min(end, to)] as const;
  return joined([
    { text: `${from > 0 ? '…' : ''}${text.slice(from, start)}`, is: 'plain' },
    { text: text.slice(start, last), is: kind },
    { text: text.slice(last, to), is: 'plain' },
  ]);
}

/** What the search looks through: id, text, labels and words of items, in small letters. */
export function searchedText(detail: CaseDetail): string {
  const more = new Set<string>();
  for (const record of recordsOf(detail)) {
    more.add(record.label);
    for (const item of [record.gold, record.predicted]) {
      if (item === undefined) continue;
      more.add(item.label);
      if (detail.text === null || detail.text.slice(item.start, item.end) !== item.text) more.add(recordText(record));
    }
  }
  return [detail.case, detail.text ?? '', ...more].join('\n').toLowerCase();
}

function recordsOf({ runs }: CaseDetail): readonly ViewRecord[] {
  return runs.flatMap((run) => run?.records ?? []);
}

/** The label and the words of both sides, where they differ. */
function recordText({ label, gold, predicted }: ViewRecord): string {
  const sides = [gold, predicted].flatMap((item) => {
    if (item === undefined) return [];
    const ends = [item['source'], item['target']].filter((end) => typeof end === 'string');
    return ends.length > 0 ? ends.join(' → ') : itemWords(item).words;
  });
  return [label, ...new Set(sides)].filter((part) => part !== '').join(' ');
}

function around(text: string, at: number, finder: RegExp | null): readonly PreviewPiece[] {
  const { from, to } = stretch(text, at);
  const pieces = foundPieces(text.slice(from, to), finder).map(({ text: piece, found }): PreviewPiece => {
    return { text: piece, is: found ? 'found' : 'plain' };
  });
  return joined(from > 0 ? [{ text: '…', is: 'plain' }, ...pieces] : pieces);
}

/** A part of a text that begins with a word, a little before a place. */
function stretch(text: string, at: number): { readonly from: number; readonly to: number } {
  const wanted = Math.max(0, at - BEFORE);
  const space = wanted === 0 ? null : /\s/u.exec(text.slice(wanted, at));
  const from = space === null ? wanted : wanted + space.index + 1;
  return { from, to: from + LENGTH };
}

/** On one line. */
function joined(pieces: readonly PreviewPiece[]): readonly PreviewPiece[] {
  return pieces
    .map(({ text, is }) => ({ text: text.replaceAll(/\s+/gu, ' ').toWellFormed(), is }))
    .filter(({ text }) => text !== '');
}
