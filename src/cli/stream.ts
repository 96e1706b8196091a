import { commandGroup } from './group.ts';

const HELP = `
Commands, in the order of the work:
  generate    cases discussed by agents of any chat model, to traces
  record      events of a running multi-agent system to a trace
  freeze      a manifest with the hashes of a folder of traces
  validate    traces, run logs and manifests, each and against each other
  stoplist    concepts that nearly every trace has
  index       a knowledge base (UMLS, scispaCy) as one file to link by
  concepts    which concepts a text has, and why
  replay      traces through variants of the middleware, to run logs
  measure     run logs against their traces, to figures with intervals
  figures     the figures as SVG
  calibrate   the size of V3's chunks; the gate's settings by a sweep
  run         validate, replay, measure and figures in one step

Examples:
  $ assay stream run --traces traces --model heuristic --out stream
  $ assay stream replay --traces traces --model recorded:runs --out again
  $ assay stream measure --traces traces --runs again --out measures
  $ assay compare measures/V0 measures/V2

No clinical outcome is claimed by any of these figures.`;

export default commandGroup('stream', HELP, {
  generate: [
    'have agents discuss cases, record every discussion as a trace, and freeze the set',
    () => import('./stream/generate.ts'),
  ],
  record: [
    'record the streamed events of a running conversation from standard input as a trace',
    () => import('./stream/record.ts'),
  ],
  freeze: ['write a manifest of a folder of traces, with hashes and counts', () => import('./stream/freeze.ts')],
  validate: [
    'check traces, run logs, manifests and metric files, each and against each other',
    () => import('./stream/validate.ts'),
  ],
  stoplist: [
    'find concepts and surface forms that nearly every trace has, to exclude them',
    () => import('./stream/stoplist.ts'),
  ],
  index: ['build the index of a knowledge base for linking concepts', () => import('./stream/build-index.ts')],
  concepts: [
    'show the concepts of a text, and why: mentions, candidates, scores',
    () => import('./stream/concepts.ts'),
  ],
  replay: [
    'replay frozen traces through variants of the middleware and write their run logs',
    () => import('./stream/replay.ts'),
  ],
  measure: ['measure run logs against their traces: M1 to M10, with intervals', () => import('./stream/measure.ts')],
  figures: [
    'draw coverage, faithfulness and timelines of measured variants as SVG',
    () => import('./stream/figures.ts'),
  ],
  calibrate: [
    'choose the size of V3’s chunks, and the gate’s settings by a sweep',
    () => import('./stream/calibrate.ts'),
  ],
  run: ['run all phases: validate, replay, measure, figures', () => import('./stream/run.ts')],
});
