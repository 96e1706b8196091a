import { readCasePage } from '../../../src/report/html/case-page.ts';
import type { CaseDetail, CaseIndex, ReportHead } from '../../../src/report/html/report-data.ts';
import { swappedComparison } from './compare/swapped-comparison.ts';
import { joinIndexes } from './join-indexes.ts';

/** The source of a report: the file that holds it, or later a server. */
export interface ReportSource {
  readonly head: ReportHead;
  index(): Promise<CaseIndex>;
  /** The cases of a page of `head.pages`. */
  page(number: number): Promise<readonly CaseDetail[]>;
  /** null where the report holds no more than the row in the index. */
  detail(row: number): Promise<CaseDetail | null>;
}

/** The report of two runs with the other one as the baseline. */
export function swappedSource(source: ReportSource): ReportSource {
  const { head } = source;
  const swapped = <T extends { readonly runs: readonly unknown[] }>(one: T): T => ({
    ...one,
    runs: one.runs.toReversed(),
  });
  return {
    head: { ...swapped(head), comparison: head.comparison && swappedComparison(head.comparison) },
    index: async () => swapped(await source.index()),
    page: async (number) => (await source.page(number)).map(swapped),
    detail: async (row) => {
      const detail = await source.detail(row);
      return detail && swapped(detail);
    },
  };
}

/** The part of a document that is used. */
interface Holder {
  getElementById(id: string): { readonly textContent: string | null } | null;
}

const FORMAT = 2;
const PAGES_KEPT = 20;
const LIST = 'the list of cases';
const PAGE = 'a page of cases';

/** The report that the file itself holds; an error names any part that it lacks. */
export function embeddedSource(holder: Holder): ReportSource {
  const head = readHead(holder);
  let index: Promise<CaseIndex> | null = null;
  const readPart = async (part: number): Promise<CaseIndex> => {
    const id = `assay-index-${part}`;
    const json = new TextDecoder().decode(await decompress(holder, id, LIST));
    return checked(fromJson(json, `${LIST} (${id})`), isCaseIndex, `${LIST} (${id})`);
  };
  const readIndex = async (): Promise<CaseIndex> => {
    const others = Array.from({ length: head.indexParts - 1 }, (_, part) => readPart(part + 1));
    return joinIndexes([await readPart(0), ...(await Promise.all(others))]);
  };
  // In the order of use, so that the first is the one longest not asked for.
  const pages = new Map<number, Promise<readonly CaseDetail[]>>();
  const readPage = async (number: number): Promise<readonly CaseDetail[]> => {
    const id = `assay-page-${number}`;
    const bytes = await decompress(holder, id, PAGE);
    return readable(() => readCasePage(bytes), `${PAGE} (${id})`);
  };
  const page = (number: number): Promise<readonly CaseDetail[]> => {
    const held = pages.get(number) ?? readPage(number);
    pages.delete(number);
    pages.set(number, held);
    const [oldest] = pages.keys();
    if (pages.size > PAGES_KEPT && oldest !== undefined) pages.delete(oldest);
    return held;
  };
  return {
    head,
    index: () => (index ??= readIndex()),
    page,
    async detail(row) {
      if (head.detailsUntil !== null && row >= head.detailsUntil) return null;
      const number = pageOf(head.pages, row);
      if (number === null) return null;
      const cases = await page(number);
      return cases[row - (head.pages[number] ?? 0)] ?? null;
    },
  };
}

function readHead(holder: Holder): ReportHead {
  const text = holder.getElementById('assay-head')?.textContent ?? '';
  if (text === '') throw new Error('This file holds no report: it may have been cut off when it was saved or sent.');
  const head = fromJson(text, 'the head of the report');
  const format = writtenFormat(head);
  if (format !== FORMAT)
    throw new Error(`This report is in format ${format}, and this page reads format ${FORMAT}: make it again.`);
  return checked(head, isReportHead, 'the head of the report');
}

/** Base64 of gzip: small in the file, quick to read. */
async function decompress(holder: Holder, id: string, what: string): Promise<Uint8Array> {
  const text = holder.getElementById(id)?.textContent ?? null;
  if (text === null) throw new Error(`This file lacks ${what} (${id}): it may have been cut off or changed.`);
  try {
    const gzip = new DecompressionStream('gzip');
    const writer = gzip.writable.getWriter();
    // What is wrong with the bytes fails the reading too.
    for (const written of [writer.write(bytesOf(text)), writer.close()]) written.catch(() => undefined);
    return new Uint8Array(await new Response(gzip.readable).arrayBuffer());
  } catch (fault) {
    throw new Error(unreadable(`${what} (${id})`), { cause: fault });
  }
}

function fromJson(text: string, what: string): unknown {
  return readable((): unknown => JSON.parse(text), what);
}

function readable<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (fault) {
    throw new Error(unreadable(what), { cause: fault });
  }
}

function checked<T>(value: unknown, is: (value: unknown) => value is T, what: string): T {
  if (is(value)) return value;
  throw new Error(unreadable(what));
}

function unreadable(what: string): string {
  return `This file’s copy of ${what} cannot be read: it may have been cut off or changed.`;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64.trim());
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The last page that begins at or before the row; null where none does. `pages`: the first row of each. */
export function pageOf(pages: readonly number[], row: number): number | null {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pages[middle] ?? Infinity) <= row) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}

/**
 * The parts of a report have one builder, so checking their outermost shape is enough: a file that was cut off or
 * changed by hand is refused, and the fields within are trusted.
 */
function isReportHead(value: unknown): value is ReportHead {
  return (
    isObject(value) &&
    'runs' in value &&
    Array.isArray(value.runs) &&
    value.runs.length > 0 &&
    value.runs.every((run) => isObject(run) && 'manifest' in run && 'measures' in run && 'notices' in run) &&
    'cases' in value &&
    typeof value.cases === 'number' &&
    'pages' in value &&
    Array.isArray(value.pages) &&
    'indexParts' in value &&
    typeof value.indexParts === 'number' &&
    value.indexParts > 0
  );
}

function isCaseIndex(value: unknown): value is CaseIndex {
  return (
    isObject(value) &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    'runs' in value &&
    Array.isArray(value.runs) &&
    value.runs.length > 0 &&
    'slices' in value &&
    isObject(value.slices)
  );
}

/** The format it declares, for a message. */
function writtenFormat(value: unknown): string | number {
  if (!isObject(value) || !('format' in value)) return 'unknown';
  return typeof value.format === 'number' ? value.format : 'unknown';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
