import { hasSurrogates } from '../text/code-points.ts';
import { looksMojibake, repairMojibake } from '../text/mojibake.ts';
import { type OffsetMap, offsetMap } from '../text/offsets.ts';
import type { DataOptions } from './data-options.ts';
import { UNGIVEN } from './formats/span-items.ts';
import type { Item, Side } from './item.ts';
import { visible } from './json-record.ts';
import type { Problems } from './problems.ts';

/** The map between the files' unit and UTF-16 for a text, or null where they agree. */
export function offsetsFor(text: string | null, options: DataOptions): OffsetMap | null {
  if (text === null || options.offsets === 'utf16') return null;
  if (options.offsets === 'codepoint' && !hasSurrogates(text)) return null;
  return offsetMap(text, options.offsets);
}

export interface SpanCheck {
  readonly caseId: string;
  readonly text: string | null;
  readonly offsets: OffsetMap | null;
  readonly side: Side;
  readonly file: string;
  readonly options: DataOptions;
  readonly problems: Problems;
}

/** Spans with offsets in UTF-16, each inside the text and equal to its slice; what is not is reported or follows the policy. */
export function checkSpans(items: readonly Item[], check: SpanCheck): readonly Item[] {
  let out: Item[] | null = null;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] as Item;
    const checked = item.kind === 'span' ? checkSpan(item, check) : item;
    if (checked !== item && out === null) out = items.slice(0, at);
    out?.push(checked);
  }
  return out ?? items;
}

function checkSpan(item: Item, check: SpanCheck): Item {
  const { text, offsets, options } = check;
  if (item.start < 0 || item.end < item.start)
    return bad(item, check, `the span ${item.start}..${item.end} is ${item.start < 0 ? 'negative' : 'reversed'}`);
  if (item.end === item.start) return bad(item, check, `the span ${item.start}..${item.end} is empty`);
  if (text === null) return item.text === UNGIVEN ? { ...item, text: '' } : item;

  const start = offsets === null ? item.start : offsets.toUtf16(item.start);
  const end = offsets === null ? item.end : offsets.toUtf16(item.end);
  const length = offsets === null ? text.length : offsets.length;
  if (item.end > length)
    return bad(
      item,
      check,
      `the span ${item.start}..${item.end} is past the end of the text (${length} ${unitName(options)})`,
    );
  if (start < 0 || end < 0)
    return bad(
      item,
      check,
      `the span ${item.start}..${item.end} begins or ends inside a character`,
      'are the offsets in another unit? --set data.offsets=utf16|codepoint|byte',
    );

  const slice = text.slice(start, end);
  if (slice === item.text) return start === item.start && end === item.end ? item : { ...item, start, end };
  if (item.text === UNGIVEN) return { ...item, text: slice, start, end };
  if (looksMojibake(item.text) && repairMojibake(item.text) === slice) {
    if (options.mojibake === 'repair') return { ...item, text: slice, start, end };
    return bad(
      item,
      check,
      `the text ${visible(item.text)} is broken UTF-8 for ${visible(slice)}`,
      'repair it with --set data.mojibake=repair',
    );
  }
  return bad(
    item,
    check,
    `the text of the span ${item.start}..${item.end} is ${visible(item.text)}, but the document has ${visible(slice)} there`,
    `offsets are read as ${options.offsets}; change with --set data.offsets=utf16|codepoint|byte`,
  );
}

function bad(item: Item, check: SpanCheck, message: string, next?: string): Item {
  if (check.side === 'predicted' && check.options.badSpan === 'spurious') {
    return {
      ...item,
      text: item.text === UNGIVEN ? '' : item.text,
      start: -1,
      end: -1,
      fields: { ...item.fields, badSpan: message },
    };
  }
  const advice =
    next ??
    (check.side === 'predicted' ? 'or count such predictions as spurious: --set data.badSpan=spurious' : undefined);
  check.problems.add({
    file: check.file,
    line: item.line,
    field: `${check.caseId} ${check.side} item ${item.index}`,
    message,
    ...(advice === undefined ? {} : { next: advice }),
  });
  return item;
}

function unitName(options: DataOptions): string {
  return { utf16: 'UTF-16 units', codepoint: 'characters', byte: 'bytes' }[options.offsets];
}
