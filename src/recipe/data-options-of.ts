import { type DataOptions, DEFAULT_DATA_OPTIONS, type UnknownPolicy } from '../data/data-options.ts';
import type { Recipe } from './schema.ts';

type BySide = DataOptions['unknownLabel'];

/** The recipe's `data` section with its defaults. */
export function dataOptionsOf({ data }: Recipe): DataOptions {
  const usual = DEFAULT_DATA_OPTIONS;
  return {
    format: data.format ?? usual.format,
    offsets: data.offsets ?? usual.offsets,
    columns: data.columns ?? usual.columns,
    system: data.system ?? usual.system,
    unknownCase: data.unknownCase ?? usual.unknownCase,
    missingGold: data.missingGold ?? usual.missingGold,
    missingPrediction: data.missingPrediction ?? usual.missingPrediction,
    failed: data.failed ?? usual.failed,
    badSpan: data.badSpan ?? usual.badSpan,
    mojibake: data.mojibake ?? usual.mojibake,
    labels: data.labels ?? usual.labels,
    unknownLabel: bySide(data.unknownLabel, usual.unknownLabel),
    values: data.values ?? usual.values,
    unknownValue: bySide(data.unknownValue, usual.unknownValue),
    strayInside: data.strayInside ?? usual.strayInside,
    maxRecordMiB: data.maxRecordMiB ?? usual.maxRecordMiB,
  };
}

function bySide(given: Recipe['data']['unknownLabel'], fallback: BySide): BySide {
  if (given === undefined) return fallback;
  if (typeof given === 'string') return both(given);
  return { gold: given.gold ?? fallback.gold, predicted: given.predicted ?? fallback.predicted };
}

function both(policy: UnknownPolicy): BySide {
  return { gold: policy, predicted: policy };
}
