import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { errorTypes } from '../../judge/error-types.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { MeasureValue } from '../../measure/results.ts';
import { ledgerRecord } from '../../score/ledger.ts';
import { withoutOrigin } from '../deterministic-gzip.ts';
import { count, plural, figure, isCount } from '../../text/figures.ts';
import { findingNotices } from '../audit.ts';
import { element, type Markup } from '../svg/markup.ts';
import { intervalText } from '../value-text.ts';
import { CaseIndexMaker } from './case-index.ts';
import { type Hiding, hidingOf } from './hide-texts.ts';
import type { CaseDetail, ReportHead, RunView, Texts, ViewRecord } from './report-data.ts';
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
  readonly mostBytes?: number;
}

/** Writes a report case by case: pages as they fill, then what is known at the end. */
export class ReportWriter {
  readonly #options: ReportWriterOptions;
  readonly #hiding: Hiding | null;
  readonly #index: CaseIndexMaker;
  readonly #pages: CompressedPages;

  constructor(options: ReportWriterOptions) {
    this.#options = options;
    this.#hiding = hidingOf(options.texts, options.listed);
    this.#index = new CaseIndexMaker(options.columns);
    options.write(reportOpening(options.title, options.viewer));
    this.#pages = new CompressedPages(
      (page, content) => options.write(compressedBlock(`assay-page-${page}`, content)),
      options.mostBytes,
    );
  }

  add(detail: CaseDetail): void {
    this.#index.add(detail);
    this.#pages.add(Buffer.from(JSON.stringify(this.#hiding === null ? detail : this.#hiding.detail(detail))));
  }

  /** What the next case waits for, if writing lags behind. */
  ready(): Promise<void> | null {
    return this.#pages.ready();
  }

  async finish(about: Pick<ReportHead, 'runs' | 'comparison'>): Promise<void> {
    const { write, viewer, texts } = this.#options;
    const { pages, detailsUntil } = await this.#pages.finish();
    const whole: ReportHead = { format: 1, ...about, texts, cases: this.#index.cases, pages, detailsUntil };
    const head = this.#hiding === null ? whole : this.#hiding.head(whole);
    write(compressedBlock('assay-index', await compressed(JSON.stringify(this.#index.index()))));
    write(jsonBlock('assay-head', head));
    write(reportClosing(plainSummary(head), viewer));
  }
}

/** Verdicts of the recipe's own pairing as the viewer shows them: with their types of error, and places in UTF-16. */
export function viewRecords(verdicts: readonly Verdict[]): ViewRecord[] {
  const types = errorTypes(verdicts);
  return verdicts.map((verdict) => {
    const error = types.get(verdict);
    const record = ledgerRecord(verdict, null);
    return error === undefined ? record : { ...record, error };
  });
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

const gzipped = promisify(gzip);
/** A page is decompressed when one of its cases is opened: a few hundred kilobytes take a few milliseconds. */
const PAGE_BYTES = 256 * 1024;
const PAGE_CASES = 500;
/** Pages that may wait to be compressed before scoring waits for them. */
const MOST_WAITING = 8;
/** What a browser still opens at once; cases after it are in the list but not in full. */
const MOST_BYTES = 192 * 1024 * 1024;
/** A tenth larger than at 5, in two thirds of the time. */
const LEVEL = 4;
/** Room for a compressed page: a smaller one would be allocated again and again. */
const PAGE_ROOM = 128 * 1024;

const OPENING = Buffer.from('{"cases":[');
const CLOSING = Buffer.from(']}');
const COMMA = 0x2c;

/** Compresses cases in pages and hands each on, in their order, as text for an HTML file. */
class CompressedPages {
  readonly #write: (page: number, content: string) => void;
  readonly #most: number;
  readonly #firsts: number[] = [];
  readonly #waiting = new Set<Promise<void>>();
  /** Buffers that have been compressed and can be filled again. */
  readonly #spare: Buffer[] = [];
  #page: Buffer = Buffer.alloc(0);
  #size = 0;
  #held = 0;
  #rows = 0;
  #until: number | null = null;
  #bytes = 0;
  #last: Promise<void> = Promise.resolve();
  #failed: Error | null = null;

  constructor(write: (page: number, content: string) => void, most = MOST_BYTES) {
    this.#write = write;
    this.#most = most;
  }

  /** Whether the pages take no more cases: what is added is only counted then. */
  get isFull(): boolean {
    return this.#until !== null;
  }

  /** Takes the JSON of a case. */
  add(detail: Uint8Array): void {
    if (!this.isFull) {
      this.#makeRoom(detail.length);
      if (this.#held > 0) this.#page[this.#size++] = COMMA;
      this.#page.set(detail, this.#size);
      this.#size += detail.length;
      this.#held += 1;
    }
    this.#rows += 1;
    if (this.#size >= PAGE_BYTES || this.#held >= PAGE_CASES) this.#turn();
  }

  /** What the next case waits for, if compression lags behind. */
  ready(): Promise<void> | null {
    const [oldest] = this.#waiting;
    return this.#waiting.size < MOST_WAITING ? null : (oldest ?? null);
  }

  async finish(): Promise<{ readonly pages: readonly number[]; readonly detailsUntil: number | null }> {
    this.#turn();
    await this.#last;
    if (this.#failed !== null) throw this.#failed;
    return { pages: this.#firsts, detailsUntil: this.#until };
  }

  #makeRoom(length: number): void {
    if (this.#held === 0) {
      this.#page = this.#spare.pop() ?? Buffer.allocUnsafe(PAGE_BYTES * 2);
      this.#size = OPENING.copy(this.#page);
    }
    const size = this.#size + length + 1 + CLOSING.length;
    if (size <= this.#page.length) return;
    const wider = Buffer.allocUnsafe(size);
    this.#page.copy(wider, 0, 0, this.#size);
    this.#page = wider;
  }

  #turn(): void {
    if (this.#held === 0) return;
    const page = this.#page;
    this.#size += CLOSING.copy(page, this.#size);
    const first = this.#rows - this.#held;
    const compression = compressed(page.subarray(0, this.#size));
    this.#held = 0;
    this.#size = 0;
    const turned = this.#last.then(async () => {
      const content = await compression;
      if (page.length === PAGE_BYTES * 2) this.#spare.push(page);
      this.#bytes += content.length;
      if (this.#until !== null) return;
      if (this.#bytes > this.#most) this.#until = first;
      else {
        this.#write(this.#firsts.length, content);
        this.#firsts.push(first);
      }
    });
    const settled = turned
      .catch((error: unknown) => {
        this.#failed ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => this.#waiting.delete(settled));
    this.#waiting.add(settled);
    this.#last = settled;
  }
}

/** Gzip in base64: a browser decompresses it by itself, and it cannot end the element that holds it. */
async function compressed(content: Uint8Array | string): Promise<string> {
  return withoutOrigin(await gzipped(content, { level: LEVEL, chunkSize: PAGE_ROOM }), 0).toString('base64');
}
