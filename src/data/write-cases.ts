import { join } from 'node:path';

import { offsetMap } from '../text/offsets.ts';
import type { Span } from '../text/span.ts';
import type { Case } from './case.ts';
import type { CaseWriter, WrittenCase } from './format.ts';
import type { Item, Side } from './item.ts';
import { UsageError } from './problems.ts';
import { FileWriter, SHARED, writeAside } from './write-file.ts';

export type WrittenSide = Side | 'both';

/**
 * Writes cases in a format: one file, or for formats with files for each case a folder of them, named by case ids. A single
 * case whose ending fits is written to `out` itself. Gives how many cases there were.
 */
export async function writeCases(
  cases: AsyncIterable<Case> | Iterable<Case>,
  writer: CaseWriter,
  out: string,
  side: WrittenSide = 'gold',
): Promise<number> {
  if (writer.layout === 'files') return writeFolder(cases, writer, out, side);
  const file = new FileWriter(out, { folderMode: SHARED });
  let count = 0;
  try {
    if (writer.layout === 'whole') {
      const all: WrittenCase[] = [];
      for await (const one of cases) all.push(writtenCase(one, writer, side));
      count = all.length;
      file.write(writer.whole(all));
    } else {
      const isArray = writer.layout === 'records' && (writer.isArray === true || /\.json$/i.test(out));
      file.write(writer.layout === 'text' ? (writer.head ?? '') : isArray ? '[' : '');
      for await (const one of cases) {
        const given = writtenCase(one, writer, side);
        if (writer.layout === 'text') file.write(writer.text(given));
        else
          for (const record of [writer.record(given)].flat(1))
            file.write(
              isArray ? `${count === 0 ? '' : ','}\n${JSON.stringify(record)}` : `${JSON.stringify(record)}\n`,
            );
        count += 1;
      }
      if (isArray) file.write('\n]\n');
    }
    file.finish();
  } catch (error) {
    file.abandon();
    throw error;
  }
  return count;
}

async function writeFolder(
  cases: AsyncIterable<Case> | Iterable<Case>,
  writer: Extract<CaseWriter, { layout: 'files' }>,
  out: string,
  side: WrittenSide,
): Promise<number> {
  const isFile = out.toLowerCase().endsWith(writer.extension);
  const stem = isFile ? out.slice(0, -writer.extension.length) : null;
  let count = 0;
  for await (const one of cases) {
    if (isFile && count > 0)
      throw new UsageError(
        `${out}: this format has a file for each case, and there is more than one`,
        `name a folder: ${stem ?? out}`,
      );
    const files = writer.files(writtenCase(one, writer, side));
    for (const [ending, content] of Object.entries(files))
      writeAside(`${stem ?? join(out, fileName(one.id))}${ending}`, content, { folderMode: SHARED });
    count += 1;
  }
  return count;
}

/** A case id as the name of a file: what no file system takes becomes an underscore, never a path. */
export function fileName(id: string): string {
  const plain = id
    .normalize('NFC')
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, 120);
  return plain === '' ? '_' : plain;
}

/** A case with its places in the unit of the writer. */
export function writtenCase(given: Case, { offsets = 'codepoint' }: CaseWriter, side: WrittenSide): WrittenCase {
  const { id, text, tokens, fields, gold, predicted } = given;
  const map = text === null ? null : offsetMap(text, offsets);
  const at = (place: number): number => (place < 0 || map === null ? place : map.fromUtf16(place));
  const span = ({ start, end }: Span): Span => ({ start: at(start), end: at(end) });
  const placed = (item: Item): Item => {
    const moved = { ...item, ...span(item) };
    return item.fragments === undefined ? moved : { ...moved, fragments: item.fragments.map(span) };
  };
  return {
    id,
    text,
    tokens: tokens?.map(span) ?? null,
    fields,
    items: (side === 'predicted' ? predicted : gold).map(placed),
    predicted: side === 'both' ? predicted.map(placed) : null,
  };
}
