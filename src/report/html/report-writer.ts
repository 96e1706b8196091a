import { caseRecord } from '../../score/score-to-folder.ts';
import type { ReportHead, CaseDetail, Texts } from './report-data.ts';
import { CaseBytes, NO_TEXT, type ScoredCase } from './case-bytes.ts';
import { CaseIndexMaker } from './case-index.ts';
import { hidingOf, type Hiding } from './hide-texts.ts';
import { packed, PackedPages } from './packed-blocks.ts';
import { plainSummary } from './plain-summary.ts';
import { viewOfVerdict } from './view-record.ts';
import { jsonBlock, packedBlock, reportClosing, reportOpening, type Viewer } from './report-file.ts';

export interface ReportWriterOptions {
  readonly viewer: Viewer;
  readonly title: string;
  readonly texts: Texts;
  /** Values of fields that the recipe lists: they stay where texts are hidden. */
  readonly said?: ReadonlySet<string>;
  /** Per run: the measures that the list of cases has columns for. */
  readonly columns: readonly (readonly string[])[];
  /** Takes the file, piece by piece. */
  readonly write: (piece: string) => void;
  readonly mostPacked?: number;
}

/** Writes a report case by case: pages as they fill, then what is known at the end. */
export class ReportWriter {
  readonly #options: ReportWriterOptions;
  readonly #hiding: Hiding | null;
  readonly #index: CaseIndexMaker;
  readonly #pages: PackedPages;
  readonly #bytes = new CaseBytes();

  constructor(options: ReportWriterOptions) {
    this.#options = options;
    this.#hiding = hidingOf(options.texts, options.said);
    this.#index = new CaseIndexMaker(options.columns);
    options.write(reportOpening(options.title, options.viewer));
    this.#pages = new PackedPages(
      (page, content) => options.write(packedBlock(`assay-page-${page}`, content)),
      options.mostPacked,
    );
  }

  add(detail: CaseDetail): void {
    this.#index.add(detail);
    this.#pages.add(this.#bytes.ofDetail(this.#hiding === null ? detail : this.#hiding.detail(detail)));
  }

  /** Adds a case of the one run that is being scored. */
  addScored(scored: ScoredCase): void {
    if (this.#hiding === null) {
      this.#index.addScored(scored);
      this.#pages.add(this.#bytes.ofScored(scored));
    } else this.add(detailOf(scored));
  }

  /** What the next case waits for, where writing lags behind. */
  ready(): Promise<void> | null {
    return this.#pages.ready();
  }

  async finish(about: Pick<ReportHead, 'runs' | 'comparison'>): Promise<void> {
    const { write, viewer, texts } = this.#options;
    const { pages, detailsUntil } = await this.#pages.finish();
    const whole: ReportHead = { format: 1, ...about, texts, cases: this.#index.cases, pages, detailsUntil };
    const head = this.#hiding === null ? whole : this.#hiding.head(whole);
    write(packedBlock('assay-index', await packed(JSON.stringify(this.#index.index()))));
    write(jsonBlock('assay-head', head));
    write(reportClosing(plainSummary(head), viewer));
  }
}

/** A case as it was scored, in full. */
function detailOf({ given, result, verdicts, types }: ScoredCase): CaseDetail {
  return {
    case: result.case,
    text: given.text,
    noText: given.text === null ? NO_TEXT : null,
    runs: [
      { result: caseRecord(result), records: verdicts.map((verdict) => viewOfVerdict(verdict, types.get(verdict))) },
    ],
  };
}
