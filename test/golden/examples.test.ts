import { describe } from 'vitest';

import { presetNames } from '../../src/recipe/presets.ts';
import { type GoldenCommand, goldenTests } from './golden-net.ts';

const JOURNAL = ['--cases', 'examples/journal/journals.jsonl', '--gold', 'examples/journal/gold.jsonl'];
const DOCS = ['--cases', 'examples/pii/docs.json'];
const GRAPH = ['--gold', 'examples/graph/items.jsonl', '--predictions', 'examples/graph/outputs.jsonl'];
const CONSULT = [
  ...['--cases', 'examples/consult/cases.csv', '--predictions', 'examples/consult/plain.jsonl'],
  ...['--predictions', 'examples/consult/guided.jsonl', '--reviews', 'examples/consult/reviews.csv'],
];
const TRACES = ['--traces', 'examples/stream/traces'];
const CONCEPTS = ['--concepts', 'examples/stream/config/extractor.yaml'];
const RUN = ['--no-report', '--quiet', '--out', 'OUT/run'];

const presets = (task: string): string[] => presetNames().filter((name) => name.startsWith(`${task}/`));
const score = (name: string, recipe: string, ...args: readonly string[]): GoldenCommand => ({
  name,
  args: ['score', recipe, ...args, ...RUN],
});
const json = (name: string, ...args: readonly string[]): GoldenCommand => ({ name, args: [...args, '--json'] });

const scored: GoldenCommand[] = [
  ...presets('journal').flatMap((preset) =>
    ['predictions', 'predictions-b'].map((file) =>
      score(
        `${preset.replace('/', '-')}-${file}`,
        preset,
        ...JOURNAL,
        '--predictions',
        `examples/journal/${file}.jsonl`,
        '--legacy-files',
      ),
    ),
  ),
  ...presets('pii').map((preset) => score(preset.replace('/', '-'), preset, ...DOCS)),
  ...['jsonl', 'bio', 'csv'].map((type) =>
    score(
      `pii-semeval-${type}`,
      'pii/semeval',
      ...['--gold', `examples/pii/gold.${type}`, '--predictions', `examples/pii/predictions.${type}`],
      ...(type === 'csv' ? ['--columns', 'id=document,start=from,end=to,label=category,text=surface'] : []),
    ),
  ),
  ...presets('graph').map((preset) => score(preset.replace('/', '-'), preset, ...GRAPH)),
  ...presets('consult').map((preset) => score(preset.replace('/', '-'), preset, ...CONSULT)),
];

const several: GoldenCommand[] = [
  json(
    'compare-journal',
    'compare',
    '@journal-ashwam-predictions/run',
    '@journal-ashwam-predictions-b/run',
    '--slices',
  ),
  json('compare-consult', 'compare', '@consult-ayurmind/run/plain', '@consult-ayurmind/run/guided', '--slices'),
  json('compare-pii', 'compare', '@pii-piranha/run', '@pii-piranha-as-coded/run', '--force'),
  ...['passes', 'blocks', 'cannot-tell'].map((rules) =>
    json(`gate-${rules}`, 'gate', '@pii-piranha/run', '--rules', `examples/gate/${rules}.yaml`),
  ),
  json(
    'gate-baseline',
    'gate',
    '@journal-ashwam-predictions-b/run',
    '--rules',
    'examples/gate/baseline.yaml',
    '--baseline',
    '@journal-ashwam-predictions/run',
  ),
  json('audit-journal', 'audit', '@journal-ashwam-predictions/run'),
  json('audit-two', 'audit', '@pii-piranha/run', '@graph-openspec/run', '--train', 'examples/pii/docs.json'),
  json('waterfall-pii', 'waterfall', 'pii/piranha', ...DOCS),
  json('waterfall-journal', 'waterfall', '@journal-ashwam-predictions/run'),
  json('waterfall-graph', 'waterfall', 'graph/openspec', ...GRAPH),
  json('waterfall-consult', 'waterfall', 'consult/ayurmind', ...CONSULT.filter((arg, at) => at !== 4 && at !== 5)),
  json('sweep-threshold', 'sweep', 'pii/iou', ...DOCS, '--over', 'pair.threshold=0.3..0.7:0.2'),
  json(
    'sweep-grid',
    'sweep',
    'journal/ashwam',
    ...JOURNAL,
    ...[
      '--predictions',
      'a=examples/journal/predictions.jsonl',
      '--predictions',
      'b=examples/journal/predictions-b.jsonl',
    ],
    ...['--over', 'pair.threshold=0.2,0.4', '--over', 'pair.assign=greedy,optimal'],
  ),
  json('sweep-rule', 'sweep', 'pii/piranha', ...DOCS, '--over', 'judge.loc-in-org=on,off'),
  json(
    'repeats-files',
    'repeats',
    '--recipe',
    'journal/ashwam',
    ...JOURNAL,
    ...[1, 2, 3].flatMap((run) => ['--predictions', `examples/journal/repeats/run${run}.jsonl`]),
  ),
  json('repeats-runs', 'repeats', '@journal-ashwam-predictions/run', '@journal-ashwam-predictions-b/run', '--force'),
  json('agree-experts', 'agree', 'examples/agree/experts.csv'),
  json('agree-claims', 'agree', 'examples/agree/claims.csv', '--target', '0.75'),
  json('agree-likert', 'agree', 'examples/agree/likert.csv', '--scale', 'ordinal', '--range', '1..5'),
  json('agree-spans', 'agree', 'examples/pii/docs.json'),
  json('validate-pii', 'validate', 'pii/strict', ...DOCS),
  {
    name: 'experiment',
    args: ['run', 'examples/experiment/experiment.yaml', '--local', '--no-report', '--quiet', '--out', 'OUT/run'],
  },
  score('experiment-again', 'graph/openspec', '--run', '@experiment/run'),
];

const stream: GoldenCommand[] = [
  {
    name: 'stream-replay',
    args: [
      'stream',
      'replay',
      ...TRACES,
      ...['--config', 'examples/stream/config', '--model', 'recorded:examples/stream/answers', '--quiet'],
      ...CONCEPTS,
      ...['--out', 'OUT/runs'],
    ],
  },
  {
    name: 'stream-measure',
    args: ['stream', 'measure', ...TRACES, '--runs', '@stream-replay/runs', ...CONCEPTS, ...RUN],
  },
  json('stream-compare', 'compare', '@stream-measure/run/V0', '@stream-measure/run/V2'),
  json('stream-validate', 'stream', 'validate', ...TRACES, '--runs', '@stream-replay/runs', '--complete'),
  {
    name: 'stream-calibrate',
    args: ['stream', 'calibrate', '--runs', '@stream-replay/runs', '--quiet', '--out', 'OUT/calibration'],
  },
];

describe('golden net: the examples', () => {
  goldenTests('examples', [...scored, ...several, ...stream]);
});
