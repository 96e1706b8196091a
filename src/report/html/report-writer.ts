import type { Verdict } from '../../judge/verdict.ts';
import { errorTypes } from '../../judge/error-types.ts';
import { ledgerRecord } from '../../score/ledger.ts';
import type { ReportHead, CaseDetail, Texts, ViewRecord } from './report-data.ts';
import { CaseIndexMaker } from './case-index.ts';
import { hidingOf, type Hiding } from './hide-texts.ts';
import { compressed, CompressedPages } from './compressed-pages.ts';
import { plainSummary } from './plain-summary.ts';
import { jsonBlock, compressedBlock, reportClosing, reportOpening, type Viewer } from './report-file.ts';

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
