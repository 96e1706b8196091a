import type { IngestedUsage, IngestedUsageDetails } from '../shapes/ingestion.ts';

type Counts = Record<string, number>;

/** The names under which providers count, and ours. */
const NAMES: Readonly<Record<string, string>> = {
  prompt_tokens: 'input',
  completion_tokens: 'output',
  total_tokens: 'total',
  input_tokens: 'input',
  output_tokens: 'output',
};
const DETAILS: Readonly<Record<string, string>> = {
  prompt_tokens_details: 'input',
  completion_tokens_details: 'output',
  input_tokens_details: 'input',
  output_tokens_details: 'output',
};

/** Counts by name; those within `…_details` stand beside the others, as `input_cached_tokens`. */
export function usageCounts(details: IngestedUsageDetails): Counts {
  const isProviders = Object.keys(details).some((name) => name in NAMES);
  const entries = Object.entries(details).flatMap(([name, value]) => {
    if (typeof value === 'number') return [[isProviders ? (NAMES[name] ?? name) : name, value] as const];
    return Object.entries(value ?? {}).flatMap(([part, count]) =>
      typeof count === 'number' ? [[`${DETAILS[name] ?? name}_${part}`, count] as const] : [],
    );
  });
  return Object.fromEntries(entries);
}

/** What older SDKs send in one place: counts and costs. */
export function legacyUsage(usage: IngestedUsage): { readonly usageDetails: Counts; readonly costDetails: Counts } {
  return {
    usageDetails: given({
      input: usage.input ?? usage.promptTokens,
      output: usage.output ?? usage.completionTokens,
      total: usage.total ?? usage.totalTokens,
    }),
    costDetails: given({ input: usage.inputCost, output: usage.outputCost, total: usage.totalCost }),
  };
}

function given(counts: Readonly<Record<string, number | undefined>>): Counts {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
  );
}
