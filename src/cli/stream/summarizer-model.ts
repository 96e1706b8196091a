import { UsageError } from '../../data/problems.ts';
import type { SummarizerConfig } from '../../tasks/stream/config/summarizer-config.ts';
import type { ModelFlags } from './chosen-model.ts';

export type GivenModel = Omit<ModelFlags, 'model'> & { readonly model?: string };

/** Who answers, by flags and below them by summarizer.yaml, and what of the file has no effect. */
export function summarizerModel(
  flags: GivenModel,
  config: SummarizerConfig | null,
): { readonly flags: ModelFlags; readonly notices: readonly string[] } {
  const file = config?.file ?? null;
  const own = file?.values.model ?? {};
  const name = flags.model ?? own.name;
  if (name === undefined)
    throw new UsageError(
      "required option '--model <who>' not specified",
      'recorded:DIR, heuristic, or PROVIDER/NAME; summarizer.yaml may name one under model.name',
    );
  const isProvider = name !== 'heuristic' && !name.startsWith('recorded:');
  // The server of one model is not that of another.
  const isOwn = own.name === undefined || name === own.name;
  const used = { temperature: isProvider, timeout_seconds: isProvider, base_url: isProvider && isOwn } as const;
  const notices = Object.entries(used).flatMap(([key, isUsed]) =>
    file === null || isUsed || !Object.hasOwn(own, key)
      ? []
      : [`${file.placeOf(`model.${key}`)}: model.${key} is not used: --model ${name} answers`],
  );
  const { temperature, timeout_seconds: timeout, base_url: baseUrl } = own;
  return {
    flags: {
      ...(used.temperature && temperature !== undefined ? { temperature: String(temperature ?? 'none') } : {}),
      ...(used.timeout_seconds && timeout !== undefined ? { timeout: String(timeout) } : {}),
      ...(used.base_url && baseUrl !== undefined && flags.baseUrl === undefined
        ? { baseUrl, isBaseUrlFromFile: true }
        : {}),
      ...flags,
      model: name,
    },
    notices,
  };
}
