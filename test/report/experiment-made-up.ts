import type { ItemAverage } from '../../src/experiment/item-averages.ts';
import type { ExperimentSummary, Published } from '../../src/experiment/summary.ts';

export function average(name: string, mean: number | null, more: Partial<ItemAverage> = {}): ItemAverage {
  return {
    name,
    mean,
    undefined: null,
    n: 950,
    without: 0,
    failed: 50,
    min: 0,
    max: 1,
    sd: 0.25,
    interval: { low: 0.8, high: 0.9, level: 0.95, method: 'bootstrap-percentile' },
    noInterval: null,
    direction: 'higher',
    ...more,
  };
}

export const PUBLISHED: Published = {
  backend: 'langfuse',
  place: 'https://langfuse.example',
  url: 'https://langfuse.example/project/p/runs/r',
  expected: { traces: 1000, scores: 9000 },
  found: { traces: 1000, scores: 9000 },
};

/** An experiment with nothing special about it, to be changed where a test needs it. */
export function madeUpSummary(more: Partial<ExperimentSummary> = {}): ExperimentSummary {
  return {
    name: 'baseline-v1',
    folder: 'runs/baseline-v1',
    dataset: { name: 'extraction-eval', version: 'v3', items: 1000 },
    target: {
      kind: 'graph-extractor',
      model: 'gemini-1.5-pro',
      promptName: 'extract',
      promptLabel: 'staging',
      promptVersion: 4,
      temperature: 0.2,
    },
    repeats: 1,
    added: 1,
    answered: 1000,
    failed: 0,
    notRun: 0,
    cached: 0,
    failures: [],
    usage: {
      inputTokens: 120_000,
      outputTokens: 8000,
      unknown: 0,
      atLeast: { inputTokens: 120_000, outputTokens: 8000 },
    },
    cost: { value: 1.5, currency: 'USD', unknown: 0, atLeast: 1.5 },
    latency: { median: 812.4, p95: 2345.6, mean: 901, n: 1000 },
    seconds: 192,
    calls: { made: 1000, retried: 0 },
    stopped: null,
    scores: [average('entity_f1', 0.85)],
    measures: [],
    notScored: null,
    published: null,
    gate: null,
    scoreFolder: 'runs/baseline-v1/score',
    ...more,
  };
}
