import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { type RunMeta, runLogRecord, type SummaryEvent } from '../../src/stream/run-log-records.ts';
import { noReference, referencePath } from '../reference/reference-data.ts';
import { assayHere } from './assay-here.ts';
import { example, temporaryFolder } from './run-assay.ts';
import { writeTraces } from './stream-files.ts';

/** A folder with one trace and a configuration. */
function workplace(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryFolder();
  writeTraces(cwd, 1);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, 'cfg', name, '..'), { recursive: true });
    writeFileSync(join(cwd, 'cfg', name), text);
  }
  return cwd;
}

interface ReplayedHere {
  readonly meta: RunMeta;
  readonly flushes: number;
  readonly summaries: readonly SummaryEvent[];
  readonly notices: readonly string[];
}

async function replayV2(cwd: string, ...more: string[]): Promise<ReplayedHere> {
  const args = ['stream', 'replay', '--traces', 'traces', '--variants', 'V2', '--out', 'runs', '--config', 'cfg'];
  const { code, stdout, stderr } = await assayHere([...args, '--json', '--quiet', ...more], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = gunzipSync(readFileSync(join(cwd, 'runs/V2/case-000.run.jsonl.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => runLogRecord.parse(JSON.parse(line)));
  const { notices } = JSON.parse(stdout) as { notices: string[] };
  return {
    meta: lines.find((record) => record.record_type === 'run_meta')!,
    flushes: lines.filter((record) => record.record_type === 'tokengate_flush').length,
    summaries: lines.filter((record) => record.record_type === 'summary_event'),
    notices,
  };
}

const HEURISTIC = ['--model', 'heuristic'];

describe('summarizer.yaml', () => {
  it('sets history_k, the gate and the caps of the fields, each with its effect in the logs', async () => {
    const usual = await replayV2(workplace({ 'summarizer.yaml': 'history_k: 3\n' }), ...HEURISTIC);
    const history = ({ summaries }: ReplayedHere): number =>
      Math.max(...summaries.map(({ summary_history_event_ids: ids }) => ids.length));
    expect(history(usual)).toBe(3);
    expect(usual.meta).toMatchObject({ history_k: 3, summarizer_config_hash: expect.stringMatching(/^sha256:/) });
    expect(usual.meta).not.toHaveProperty('summary_limits');

    const one = await replayV2(workplace({ 'summarizer.yaml': 'history_k: 1\n' }), ...HEURISTIC);
    expect(history(one)).toBe(1);
    expect(one.meta.history_k).toBe(1);

    const gate = 'token_gate: { min_words: 5, max_words: 10 }\n';
    expect((await replayV2(workplace({ 'summarizer.yaml': gate }), ...HEURISTIC)).flushes).toBeGreaterThan(
      2 * usual.flushes,
    );

    // 7 tokens are 21 characters, and a summary that is cut ends with a word.
    const caps = 'generation: { max_tokens: { differential_rationale: 7 } }\n';
    const short = await replayV2(workplace({ 'summarizer.yaml': caps }), ...HEURISTIC);
    const longest = ({ summaries }: ReplayedHere): number =>
      Math.max(...summaries.map(({ summary_content: content }) => content.differential_rationale.length));
    expect(longest(usual)).toBeGreaterThan(21);
    expect(longest(short)).toBeLessThanOrEqual(21);
    expect(short.meta).toMatchObject({ summary_limits: { differential_rationale: 21, key_findings: 180 } });
  });

  it('gives way to the file of a variant and to --set, and says so', async () => {
    const variant = 'variant_id: V2\ncomponents: { buffer_agent: { enabled: false } }\n';
    const cwd = workplace({
      'summarizer.yaml': 'history_k: 1\ntoken_gate: { min_words: 5, max_words: 10 }\n',
      'variants/V2.yaml': `${variant}summarizer: { history_k: 2 }\n`,
    });
    const own = await replayV2(cwd, ...HEURISTIC);
    expect(own.meta.history_k).toBe(2);
    expect(own.notices).toContain('cfg/summarizer.yaml:1: history_k 1 gives way to 2 in the files of the variants: V2');
    // Of the gate the variant says nothing, so that the file's holds.
    expect(own.notices.join('\n')).not.toContain('min_words');
    expect(own.flushes).toBeGreaterThan(20);
    expect((await replayV2(cwd, ...HEURISTIC, '--set', 'historyK=0', '--force')).meta.history_k).toBe(0);
  });

  it('may name the model, and a flag goes before it', async () => {
    const cwd = workplace({ 'summarizer.yaml': 'model:\n  name: heuristic\n  temperature: 0.5\n' });
    const { meta, notices } = await replayV2(cwd);
    expect(meta.model?.id).toBe('heuristic-1');
    expect(notices).toContain('cfg/summarizer.yaml:3: model.temperature is not used: --model heuristic answers');
    const args = ['stream', 'replay', '--traces', 'traces', '--out', 'runs', '--config', 'cfg'];
    const other = await assayHere([...args, '--model', 'nobody/x'], { cwd });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown provider "nobody"') });
    writeFileSync(join(cwd, 'cfg/summarizer.yaml'), 'history_k: 3\n');
    const none = await assayHere(args, { cwd });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("'--model <model>' not specified") });
  });

  it('reports keys and files without an effect, with line and suggestion, and refuses wrong values', async () => {
    const cwd = workplace({
      'summarizer.yaml':
        'history_K: 3\ngeneration:\n  max_token: { key_findings: 5 }\nbuffer: { llm_trigger: false }\n',
      'summariser.yaml': 'history_k: 1\n',
      'metrics.yaml': '',
      'notes.txt': 'mine',
      'variants/V2.yaml': 'variant_id: V2\ncomponents: {}\n',
      'variants/V9.yml': '',
    });
    const { notices } = await replayV2(cwd, ...HEURISTIC);
    expect(notices).toEqual(
      expect.arrayContaining([
        'cfg: stream replay does not read metrics.yaml (for stream measure)',
        'cfg/summariser.yaml: no command reads a file of that name (did you mean summarizer.yaml?)',
        'cfg/notes.txt: no command reads a file of that name',
        'cfg/variants/V9.yml: not read, the name of a variant ends in .yaml',
        'cfg/summarizer.yaml:1: history_K is not used: nothing reads a key of that name (did you mean history_k?)',
        'cfg/summarizer.yaml:3: generation.max_token is not used: nothing reads a key of that name (did you mean generation.max_tokens?)',
        'cfg/summarizer.yaml:4: buffer.llm_trigger is not used: it is false, and components.buffer_agent.enabled of a variant sets whether a model is asked',
      ]),
    );
    writeFileSync(join(cwd, 'cfg/summarizer.yaml'), '# caps\nhistory_k: many\n');
    const wrong = await assayHere(
      ['stream', 'replay', '--traces', 'traces', '--out', 'runs', '--config', 'cfg', ...HEURISTIC],
      { cwd },
    );
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/cfg\/summarizer\.yaml:2.*history_k.*expected a whole number|a number/s);
  });
});

describe('metrics.yaml', () => {
  it('sets thresholds, budgets, join and the bootstrap, each with its effect; --set goes before it', async () => {
    const cwd = workplace({ 'metrics.yaml': '' });
    const measured = async (text: string | null, ...more: string[]) => {
      if (text !== null) writeFileSync(join(cwd, 'cfg/metrics.yaml'), text);
      const { code, stdout, stderr } = await assayHere(
        ['stream', 'measure', '--traces', example('stream/traces'), '--runs', example('stream/answers')]
          .concat(['--variants', 'V2', '--out', 'm', '--json', '--quiet'])
          .concat(text === null ? [] : ['--config', 'cfg'])
          .concat(more),
        { cwd },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const measures = JSON.parse(readFileSync(join(cwd, 'm/V2/measures.json'), 'utf8')) as {
        measures: { name: string; value: number | null; interval: Record<string, unknown> | null }[];
      };
      const printed = JSON.parse(stdout) as Record<string, unknown>;
      return { measures: measures.measures, printed, notices: printed['notices'] as string[] };
    };
    const usual = await measured(null);
    const changed = await measured(
      'tau_list: [0.5]\nbudget_list:\n  - 40\njoin: space\nstatistics:\n  bootstrap_samples: 77\n  confidence_level: 0.8\n  seed: 7\n',
    );
    const names = (of: typeof usual): string[] => of.measures.map(({ name }) => name);
    expect(names(usual)).toEqual(expect.arrayContaining(['redundancy_at_0.90', 'coverage_at_250']));
    expect(names(changed)).toEqual(expect.arrayContaining(['redundancy_at_0.50', 'coverage_at_40']));
    expect(names(changed)).not.toContain('coverage_at_250');
    expect(changed.printed).toMatchObject({
      interval: { resamples: 77, level: 0.8, seed: 7 },
      config: { 'interval.resamples': 77, 'stream.join': 'space', metrics_config_hash: expect.any(String) },
    });
    const record = JSON.parse(readFileSync(join(cwd, 'm/per_case.metrics.jsonl'), 'utf8').split('\n')[0]!) as object;
    expect(record).toMatchObject({ m3_redundancy_threshold_rates: { 'tau_0.50': expect.anything() } });
    const interval = (of: typeof usual): unknown => of.measures.find(({ name }) => name === 'trace_coverage')?.interval;
    const each = [interval(usual)];
    for (const line of ['bootstrap_samples: 3', 'confidence_level: 0.5', 'seed: 3'])
      each.push(interval(await measured(`statistics: { ${line} }\n`)));
    expect(new Set(each.map((one) => JSON.stringify(one))).size).toBe(4);
    expect(changed.notices).toContain('cfg/metrics.yaml:4: join "space" is used in place of "concat" of stream/exaid');
    expect(changed.notices).toContain(
      'cfg/metrics.yaml:6: statistics.bootstrap_samples 77 is used in place of 10000 of stream/exaid',
    );
    const set = await measured('statistics: { bootstrap_samples: 77 }\n', '--set', 'interval.resamples=50');
    expect(set.printed).toMatchObject({ interval: { resamples: 50 } });
    expect(set.notices).toContain('cfg/metrics.yaml:1: statistics.bootstrap_samples 77 gives way to 50 of the call');
  });
});

describe.skipIf(noReference)('the published configuration', () => {
  it('is read whole: every notice names a file, and no value is refused', async () => {
    const cwd = temporaryFolder();
    writeTraces(cwd, 2, 1);
    const config = ['--config', referencePath('stream/configs'), '--traces', 'traces', '--json', '--quiet'];
    const replay = await assayHere(['stream', 'replay', ...config, '--model', 'heuristic', '--out', 'runs'], { cwd });
    expect(replay).toMatchObject({ code: 0, stderr: '' });
    // Its extractor is scispaCy, which is not here.
    const vocabulary = ['--concepts', 'vocabulary', '--force'];
    const call = ['stream', 'measure', ...config, '--runs', 'runs', '--out', 'm'];
    const measure = await assayHere([...call, ...vocabulary], { cwd });
    expect(measure).toMatchObject({ code: 0, stderr: '' });
    const printed = JSON.parse(measure.stdout) as { interval: unknown; notices: string[] };
    expect(printed.interval).toMatchObject({ resamples: 1000, level: 0.95, seed: 42 });
    expect(printed.notices.filter((notice) => notice.includes('metrics.yaml:'))).toEqual([
      expect.stringContaining('metrics.yaml:20: output is not used'),
      expect.stringContaining('metrics.yaml:31: concept_extraction.model is not used'),
      expect.stringContaining('metrics.yaml:33: concept_extraction.similarity_metric is not used: it is "cosine"'),
      expect.stringContaining('metrics.yaml:47: figures is not used'),
      expect.stringContaining('statistics.bootstrap_samples 1000 is used in place of 10000'),
    ]);
  });
});
