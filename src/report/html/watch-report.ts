import { FoldState, isFoldable } from '../../data/fold-state.ts';
import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Audit } from '../../audit/finding.ts';
import { AuditWatch } from '../../audit/audit-watch.ts';
import { FiguresWatch } from '../../figures/figures-watch.ts';
import { joinSinks } from '../../score/score.ts';
import { type OpenRunWatch, type RunWatch } from '../../score/score-to-folder.ts';
import type { Run } from '../../score/run.ts';
import type { ScoreSink } from '../../score/score.ts';
import { watchWaterfall } from '../../compare/waterfall/make-waterfall.ts';
import { factsOf } from '../recipe-facts.ts';
import { renderMarkdown } from '../render-markdown.ts';
import { runDocument } from '../run.ts';
import { recipeValues } from './hide-texts.ts';
import type { Texts } from './report-data.ts';
import { readViewer } from './report-file.ts';
import { ReportPart } from './report-part.ts';
import { type ReportSizes, ReportWriter } from './report-writer.ts';
import { columnMeasures, runView } from './run-view.ts';

export interface ReportFilesOptions {
  /** How much of the texts report.html holds; `off`: no report.html. */
  readonly texts?: Texts | 'off';
  /** Called with the audit of a run. */
  readonly onAudit?: (audit: Audit, run: Run) => void;
  /** `part`: what is gathered over some of the cases is saved; `merge`: what was saved is put together. */
  readonly as?: 'part' | 'merge' | undefined;
  /** Sizes of report.html that are not the default ones. */
  readonly sizes?: Partial<ReportSizes>;
}

/** What a run folder gets beside its ledger: figures.json, audit.json, report.md and report.html. */
export function reportFiles({ texts = 'full', onAudit, as, sizes = {} }: ReportFilesOptions = {}): OpenRunWatch {
  return async (plan, files, { name = plan.name } = {}): Promise<RunWatch> => {
    const mergeable = as !== undefined;
    const waterfall = watchWaterfall(plan);
    const figures = new FiguresWatch(plan, { mergeable });
    const audit = new AuditWatch({ ...plan, isPart: as === 'part' });
    if (as === 'part') refuseUnmergeable(audit);
    const viewer = texts === 'off' ? null : readViewer();
    const report =
      viewer === null || texts === 'off'
        ? null
        : new (mergeable ? ReportPart : ReportWriter)({
            viewer,
            title: `${name} · assay`,
            texts,
            listed: recipeValues(plan.resolved),
            columns: [columnsOf(plan)],
            write: (piece) => files.write('report.html', piece),
            sizes,
          });
    return {
      ...(mergeable ? { state: joinStates([waterfall.state, figures.state, audit, report]) } : {}),
      sink: joinSinks([waterfall.sink, figures.sink, audit.sink, ...(report === null ? [] : [reportSink(report)])]),
      async finish(run) {
        const drawn = figures.finish(run, waterfall.result());
        const found = await audit.finish(run, { ceiling: drawn.ceiling });
        onAudit?.(found, run);
        files.write('figures.json', `${JSON.stringify(drawn)}\n`);
        files.write('audit.json', `${JSON.stringify(found, null, 2)}\n`);
        files.write('report.md', renderMarkdown(runDocument(run, { audit: found, figures: drawn })));
        await report?.finish({ runs: [runView(name, run, found, drawn)], comparison: null });
      },
    };
  };
}

function refuseUnmergeable({ unmergeable: [name] }: AuditWatch): void {
  if (name !== undefined)
    throw new UsageError(
      `the custom check ${name} looks at one case after another, and what it gathers in parts cannot be joined`,
      'let its open({ keep }) hold that with keep, or score all cases at once',
    );
}

function joinStates(parts: readonly unknown[]): FoldState {
  const state = new FoldState();
  for (const part of parts) if (isFoldable(part)) state.keep(part);
  return state;
}

function columnsOf({ resolved, measures }: Plan): string[] {
  return columnMeasures(
    measures.map(({ name }) => name),
    factsOf(resolved),
  );
}

/** Puts each case into a report as it is scored. */
export function reportSink(report: Pick<ReportWriter, 'add' | 'addSpans' | 'ready' | 'hidesNothing'>): ScoreSink {
  return {
    ready: () => report.ready(),
    scored(scored) {
      if (scored.spans !== undefined && report.hidesNothing) return report.addSpans(scored.spans);
      for (const {
        case: { text },
        verdicts,
        result,
      } of scored.variants)
        report.add({
          case: result.case,
          text,
          noText: text === null ? 'the files give no text for this case' : null,
          runs: [{ result, verdicts }],
        });
    },
  };
}
