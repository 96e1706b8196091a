import { errorTypes } from '../../judge/error-types.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { SpanFacts } from '../../score/score.ts';
import { count, plural, figure, isCount } from '../../text/figures.ts';
import { findingNotices } from '../audit.ts';
import { element, type Markup } from '../svg/markup.ts';
import { intervalText } from '../value-text.ts';
import { CaseIndexMaker } from './case-index.ts';
import { CasePageWriter } from './case-page-writer.ts';
import type { EncodedPage } from './encoded-page.ts';
import { type Hiding, hidingOf } from './hide-texts.ts';
import { compressPage } from './page-gzip.ts';
import type { CaseIndex, ReportCase, ReportHead, RunView, Texts } from './report-data.ts';
import { compressedBlock, jsonBlock, reportClosing, reportOpening, type Viewer } from './report-file.ts';

export interface ReportWriterOptions {
  readonly viewer: Viewer;
  readonly title: string;
  readonly texts: Texts;
  /** Values of fields that the recipe lists: they stay when texts are hidden. */
  readonly listed?: ReadonlySet<string>;
  /** Per run: the measures that the list of cases has columns for. */
  readonly columns: readonly (readonly string[])[];
  /** Takes the file, piece by piece. */
  readonly write: (piece: string) => void;
  /** Sizes that are not the default ones. */
  readonly sizes?: Partial<ReportSizes>;
}

export interface ReportSizes {
  /** Of a page, which ends with the case that reaches either. */
  readonly pageBytes: number;
  readonly pageCases: number;
  /** Of a part of the index. */
  readonly indexCases: number;
  /** Of all pages as they are written; cases after them are in the list but not in full. */
  readonly mostBytes: number;
}

export const REPORT_SIZES: ReportSizes = {
  // A page is decompressed when one of its cases is opened: half a megabyte takes a few milliseconds.
  pageBytes: 512 * 1024,
  pageCases: 500,
  // The index is written in parts, so that nothing is kept of a case.
  indexCases: 10_000,
  // What a browser still opens at once.
  mostBytes: 192 * 1024 * 1024,
};

/** Pages that wait to be compressed and written. */
export const MOST_WAITING = 4;

/** Writes a report case by case: pages and parts of the index as they fill, then what is known at the end. */
export class ReportWriter {
  readonly #options: ReportWriterOptions;
  readonly #sizes: ReportSizes;
  readonly #hiding: Hiding | null;
  readonly #page: CasePageWriter;
  /** The first row of each page. */
  readonly #pages: number[] = [];
  #index: CaseIndexMaker;
  #indexParts = 0;
  #cases = 0;
  #bytes = 0;
  #until: number | null = null;
  /** Pages that are not written yet, and the last of them. */
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #fault: Error | null = null;
  /** Memory of pages that are written. */
  readonly #spare: Buffer[] = [];

  constructor(options: ReportWriterOptions) {
    this.#options = options;
    this.#sizes = { ...REPORT_SIZES, ...options.sizes };
    this.#hiding = hidingOf(options.texts, options.listed);
    this.#page = new CasePageWriter(this.#hiding);
    this.#index = new CaseIndexMaker(options.columns);
    options.write(reportOpening(options.title, options.viewer));
  }

  add(given: ReportCase): void {
    const errors = given.runs.map((run) => errorTypes(run?.verdicts ?? []));
    this.#index.add(given, errors);
    if (this.#until === null) this.#page.add(given, errors);
    this.#added();
  }

  /** A case of plain spans, in columns. */
  addSpans(given: SpanFacts): void {
    this.#index.addSpans(given);
    if (this.#until === null) this.#page.addSpans(given);
    this.#added();
  }

  /** A case by its row of the index, and the page that has it next. */
  addCopy(row: CaseIndex, page: EncodedPage | null): void {
    this.#index.addRow(row);
    if (this.#until === null && page !== null) this.#page.copy(page);
    this.#added();
  }

  /** Whether cases are still taken in full. */
  get takesDetails(): boolean {
    return this.#until === null;
  }

  /** Takes no further case in full. */
  async endDetails(): Promise<void> {
    if (this.#page.cases > 0) this.#endPage();
    await this.#last;
    this.#until ??= this.#cases;
  }

  /** Whether texts are in it as they are. */
  get hidesNothing(): boolean {
    return this.#hiding === null;
  }

  #added(): void {
    this.#cases += 1;
    if (isPageFull(this.#page, this.#sizes)) this.#endPage();
    if (this.#index.cases >= this.#sizes.indexCases) this.#endPart();
  }

  /** What the next case has to wait for: pages that are still compressed, beside other work. */
  ready(): Promise<void> | null {
    if (this.#fault !== null) throw this.#fault;
    return this.#waiting > MOST_WAITING ? this.#last : null;
  }

  async finish(about: Pick<ReportHead, 'runs' | 'comparison'>): Promise<void> {
    const { write, viewer, texts } = this.#options;
    if (this.#page.cases > 0) this.#endPage();
    if (this.#index.cases > 0 || this.#indexParts === 0) this.#endPart();
    await this.#last;
    if (this.#fault !== null) throw this.#fault;
    const [cases, pages, detailsUntil, indexParts] = [this.#cases, this.#pages, this.#until, this.#indexParts];
    const whole: ReportHead = { format: 2, ...about, texts, cases, pages, detailsUntil, indexParts };
    const head = this.#hiding === null ? whole : this.#hiding.head(whole);
    write(jsonBlock('assay-head', head));
    write(reportClosing(plainSummary(head), viewer));
  }

  #endPage(): void {
    const first = this.#cases - this.#page.cases;
    const page = this.#page.take();
    const spare = this.#spare.pop();
    const copy = spare !== undefined && spare.length >= page.length ? spare : Buffer.allocUnsafeSlow(page.length * 2);
    this.#compress(copy.subarray(0, page.copy(copy)), (content) => {
      this.#spare.push(copy);
      this.#bytes += content.length;
      if (this.#until !== null) return;
      if (this.#bytes > this.#sizes.mostBytes) this.#until = first;
      else this.#options.write(compressedBlock(`assay-page-${this.#pages.push(first) - 1}`, content));
    });
  }

  #endPart(): void {
    const part = `assay-index-${this.#indexParts}`;
    this.#compress(Buffer.from(JSON.stringify(this.#index.index())), (content) =>
      this.#options.write(compressedBlock(part, content)),
    );
    this.#indexParts += 1;
    this.#index = new CaseIndexMaker(this.#options.columns);
  }

  /** Compresses in a thread of Node's; whatever becomes of the content is done in the order of the calls. */
  #compress(content: Buffer, use: (compressed: string) => void): void {
    // In base64 it cannot end the element that holds it.
    const done = compressPage(content).then((bytes) => bytes.toString('base64'));
    this.#waiting += 1;
    this.#last = Promise.all([done, this.#last])
      .then(([text]) => use(text))
      .catch((error: unknown) => void (this.#fault ??= error instanceof Error ? error : new Error(String(error))))
      .finally(() => (this.#waiting -= 1));
  }
}

export function isPageFull(page: CasePageWriter, { pageBytes, pageCases }: ReportSizes): boolean {
  return page.size >= pageBytes || page.cases >= pageCases;
}

/** The overall measures as plain HTML, for a browser that runs no script. */
function plainSummary({ runs }: Pick<ReportHead, 'runs'>): string {
  return runs
    .flatMap(runParts)
    .map(({ markup }) => markup)
    .join('');
}

function runParts({ name, manifest, measures, notices, audit }: RunView): Markup[] {
  const overall = measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
  const head = ['measure', 'value', 'n', 'interval'].map((title) => element('th', {}, [title]));
  return [
    element('h1', {}, [`${name}: ${manifest.recipe.name}`]),
    element('p', {}, [
      `${plural(measures.cases.total, 'case')}. The cases, the figures and the audit need JavaScript.`,
    ]),
    ...[...(audit === null ? [] : findingNotices(audit)), ...notices].map((notice) => element('p', {}, [notice])),
    element('table', {}, [element('tr', {}, head), ...overall.map(measureRow)]),
  ];
}

function measureRow(measure: MeasureValue): Markup {
  const { name, value, n, undefined: reason } = measure;
  return element('tr', {}, [
    element('th', { scope: 'row' }, [name]),
    element('td', {}, [
      value === null ? `– (${reason ?? 'no reason given'})` : (isCount(measure, value) ? count : figure)(value),
    ]),
    element('td', {}, [count(n)]),
    element('td', {}, [intervalText(measure)]),
  ]);
}
