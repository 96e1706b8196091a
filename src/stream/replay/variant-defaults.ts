import { describe, isRecord } from '../../plugin.ts';
import { mergeRecipe } from '../../recipe.ts';
import { type SummaryField, SUMMARY_FIELDS } from '../run-log-records.ts';
import { SUMMARY_LIMITS } from './summary-answer.ts';

/** The settings of a summarizer.yaml for all variants at once. */
export interface SummarizerDefaults {
  readonly historyK?: number;
  /** In characters. */
  readonly limits?: Readonly<Partial<Record<SummaryField, number>>>;
  readonly gate?: {
    readonly min_words?: number;
    readonly max_words?: number;
    readonly silence_timer?: number;
    readonly max_wait_timeout?: number;
  };
  /** `FILE:LINE` of one of its keys. */
  readonly placeOf: (key: string) => string;
}

/** A default that a variant's own file has another value for. */
export interface Overruled {
  /** `FILE:LINE: KEY` of the default. */
  readonly key: string;
  readonly value: string;
  readonly instead: string;
}

/**
 * A variant's file with the defaults below it, or above it if the variant is one that ships, and so is a default
 * itself. The gate's are for variants that have one, and caps that are the default ones are left out: the hash of the
 * settings stays what it was.
 */
export function withDefaults(
  value: unknown,
  defaults: SummarizerDefaults | null,
  isShipped: boolean,
): { readonly value: unknown; readonly overruled: readonly Overruled[] } {
  if (defaults === null || !isRecord(value)) return { value, overruled: [] };
  const gates = at(value, ['components', 'token_gate', 'enabled']) !== false && defaults.gate !== undefined;
  const limits = SUMMARY_FIELDS.flatMap((field): [SummaryField, number][] => {
    const most = defaults.limits?.[field];
    return most === undefined || most === SUMMARY_LIMITS[field] ? [] : [[field, most]];
  });
  const leaves: readonly (readonly [path: readonly string[], key: string, value: unknown])[] = [
    ...(defaults.historyK === undefined
      ? []
      : ([[['summarizer', 'history_k'], 'history_k', defaults.historyK]] as const)),
    ...limits.map(
      ([field, most]) => [['summarizer', 'max_characters', field], `generation.max_tokens.${field}`, most] as const,
    ),
    ...Object.entries(gates ? defaults.gate : {}).map(
      ([key, own]) => [['components', 'token_gate', key], `token_gate.${key}`, own] as const,
    ),
  ];
  const layer = leaves.reduce<unknown>(
    (base, [path, , own]) =>
      mergeRecipe(
        base,
        path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), own),
      ),
    {},
  );
  if (isShipped) return { value: mergeRecipe(value, layer), overruled: [] };
  const overruled = leaves.flatMap(([path, key, own]) => {
    const instead = at(value, path);
    return instead === undefined || instead === own
      ? []
      : [{ key: `${defaults.placeOf(key)}: ${key}`, value: describe(own), instead: describe(instead) }];
  });
  return { value: mergeRecipe(layer, value), overruled };
}

/** One notice for each default and what variants have in its place. */
export function overruledNotices(
  variants: readonly { readonly id: string; readonly overruled: readonly Overruled[] }[],
): string[] {
  const byWords = new Map<string, string[]>();
  for (const { id, overruled } of variants)
    for (const { key, value, instead } of overruled) {
      const words = `${key} ${value} gives way to ${instead} in the files of the variants`;
      byWords.set(words, [...(byWords.get(words) ?? []), id]);
    }
  return [...byWords].map(([words, ids]) => `${words}: ${ids.join(', ')}`);
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, part) => (isRecord(inner) ? inner[part] : undefined), value);
}
