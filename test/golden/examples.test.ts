import { describe } from 'vitest';

import { presetAliases, presetNames } from '../../src/recipe/presets.ts';
import { type GoldenCommand, goldenTests } from './golden-net.ts';

const JOURNAL = '--cases examples/journal/journals.jsonl --gold examples/journal/gold.jsonl';
const DOCS = '--cases examples/pii/docs.json';
const GRAPH = '--gold examples/graph/items.jsonl --predictions examples/graph/outputs.jsonl';
const PLAIN = '--cases examples/consult/cases.csv --predictions examples/consult/plain.jsonl';
const CONSULT = `${PLAIN} --predictions examples/consult/guided.jsonl --reviews examples/consult/reviews.csv`;
const TRACES = '--traces examples/stream/traces';
const CONCEPTS = '--concepts examples/stream/config/extractor.yaml';
const REPLAY = '--config examples/stream/config --model recorded:examples/stream/answers';
const RUN = '--no-report --quiet --out OUT/run';
/** Far fewer than by default: every byte is compared all the same, in a fraction of the time. */
const FEWER = '--set interval.resamples=300';

const presets = (task: string): string[] =>
  presetNames()
    .flatMap((name) => [name, ...presetAliases(name)])
    .filter((name) => name.startsWith(`${task}/`));
const command = (name: string, line: string): GoldenCommand => ({ name: name.replaceAll('/', '-'), line });
const score = (name: string, recipe: string, files: string): GoldenCommand =>
  command(name, `score ${recipe} ${files} ${FEWER} ${RUN}`);
const json = (name: string, line: string): GoldenCommand => command(name, `${line} --json`);
const spans = (type: string): string =>
  `--gold examples/pii/gold.${type} --predictions examples/pii/predictions.${type}`;

const scored: GoldenCommand[] = [
  ...presets('journal').flatMap((preset) =>
    ['predictions', 'predictions-b'].map((file) =>
      score(`${preset}-${file}`, preset, `${JOURNAL} --predictions examples/journal/${file}.jsonl --legacy-files`),
    ),
  ),
  ...presets('pii').map((preset) => score(preset, preset, DOCS)),
  score('pii-semeval-jsonl', 'pii/semeval', spans('jsonl')),
  score('pii-semeval-bio', 'pii/semeval', spans('bio')),
  score(
    'pii-semeval-csv',
    'pii/semeval',
    `${spans('csv')} --columns id=document,start=from,end=to,label=category,text=surface`,
  ),
  ...presets('graph').map((preset) => score(preset, preset, GRAPH)),
  ...presets('consult').map((preset) => score(preset, preset, CONSULT)),
  ...['triples', 'relations'].flatMap((purpose) =>
    presets(purpose).map((preset) =>
      score(
        preset,
        preset,
        `--gold examples/${purpose}/gold.jsonl --predictions examples/${purpose}/predictions.jsonl`,
      ),
    ),
  ),
];

const A = '@journal-ashwam-predictions/run';
const B = '@journal-ashwam-predictions-b/run';
const several: GoldenCommand[] = [
  json('compare-journal', `compare ${A} ${B} --slices`),
  json('compare-consult', 'compare @consult-ayurmind/run/plain @consult-ayurmind/run/guided --slices'),
  json('compare-pii', 'compare @pii-piranha/run @pii-piranha-as-coded/run --force'),
  ...['passes', 'blocks', 'inconclusive'].map((rules) =>
    json(`gate-${rules}`, `gate @pii-piranha/run --rules examples/gate/${rules}.yaml`),
  ),
  json('gate-baseline', `gate ${B} --rules examples/gate/baseline.yaml --baseline ${A}`),
  json('audit-journal', `audit ${A}`),
  json('audit-two', 'audit @pii-piranha/run @graph-openspec/run --train examples/pii/docs.json'),
  json('waterfall-pii', `waterfall pii/piranha ${DOCS}`),
  json('waterfall-journal', `waterfall ${A}`),
  json('waterfall-graph', `waterfall graph/openspec ${GRAPH}`),
  json('waterfall-consult', `waterfall consult/ayurmind ${PLAIN} --reviews examples/consult/reviews.csv`),
  json('sweep-threshold', `sweep pii/iou ${DOCS} --over pair.threshold=0.3..0.7:0.2`),
  json(
    'sweep-grid',
    `sweep journal/ashwam ${JOURNAL} --predictions a=examples/journal/predictions.jsonl ` +
      '--predictions b=examples/journal/predictions-b.jsonl ' +
      '--over pair.threshold=0.2,0.4 --over pair.assign=greedy,optimal',
  ),
  json('sweep-rule', `sweep pii/piranha ${DOCS} --over judge.loc-in-org=on,off`),
  json(
    'repeats-files',
    `repeats --recipe journal/ashwam ${JOURNAL} --predictions examples/journal/repeats/run1.jsonl ` +
      '--predictions examples/journal/repeats/run2.jsonl --predictions examples/journal/repeats/run3.jsonl',
  ),
  json('repeats-runs', `repeats ${A} ${B} --force`),
  json('agree-experts', 'agree examples/agree/experts.csv'),
  json('agree-claims', 'agree examples/agree/claims.csv --target 0.75'),
  json('agree-likert', 'agree examples/agree/likert.csv --scale ordinal --range 1..5'),
  json('agree-spans', 'agree examples/pii/docs.json'),
  json('validate-pii', `validate pii/strict ${DOCS}`),
  command('experiment', `run examples/experiment/experiment.yaml --local ${RUN}`),
  command('experiment-again', `score graph/openspec --run @experiment/run ${RUN}`),
];

const stream: GoldenCommand[] = [
  command('stream-replay', `stream replay ${TRACES} ${REPLAY} ${CONCEPTS} --quiet --out OUT/runs`),
  command('stream-measure', `stream measure ${TRACES} --runs @stream-replay/runs ${CONCEPTS} ${FEWER} ${RUN}`),
  json('stream-compare', 'compare @stream-measure/run/V0 @stream-measure/run/V2'),
  json('stream-validate', `stream validate ${TRACES} --runs @stream-replay/runs --complete`),
  command('stream-calibrate', 'stream calibrate --runs @stream-replay/runs --quiet --out OUT/calibration'),
];

describe('golden net: the examples', () => {
  goldenTests('examples', [...scored, ...several, ...stream]);
});
