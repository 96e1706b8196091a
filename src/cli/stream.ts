import { group } from './group.ts';

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

export default group('stream', HELP, {
  generate: [
    'have agents discuss cases, record every discussion as a trace, and freeze the set',
    async () => (await import('./stream/generate.ts')).generateCommand,
  ],
  record: [
    'record the streamed events of a running conversation from standard input as a trace',
    async () => (await import('./stream/record.ts')).recordCommand,
  ],
  freeze: [
    'write a manifest of a folder of traces, with hashes and counts',
    async () => (await import('./stream/freeze.ts')).freezeCommand,
  ],
  validate: [
    'check traces, run logs, manifests and metric files, each and against each other',
    async () => (await import('./stream/validate.ts')).streamValidateCommand,
  ],
  stoplist: [
    'find concepts and surface forms that nearly every trace has, to exclude them',
    async () => (await import('./stream/stoplist.ts')).stoplistCommand,
  ],
  index: [
    'build the index of a knowledge base for linking concepts',
    async () => (await import('./stream/build-index.ts')).indexCommand,
  ],
  concepts: [
    'show the concepts of a text, and why: mentions, candidates, scores',
    async () => (await import('./stream/concepts.ts')).conceptsCommand,
  ],
  replay: [
    'replay frozen traces through variants of the middleware and write their run logs',
    async () => (await import('./stream/replay.ts')).replayCommand,
  ],
  measure: [
    'measure run logs against their traces: M1 to M10, with intervals',
    async () => (await import('./stream/measure.ts')).measureCommand,
  ],
  figures: [
    'draw coverage, faithfulness and timelines of measured variants as SVG',
    async () => (await import('./stream/figures.ts')).figuresCommand,
  ],
  calibrate: [
    'choose the size of V3’s chunks, and the gate’s settings by a sweep',
    async () => (await import('./stream/calibrate.ts')).calibrateCommand,
  ],
  run: [
    'run all phases: validate, replay, measure, figures',
    async () => (await import('./stream/run.ts')).streamRunCommand,
  ],
});
