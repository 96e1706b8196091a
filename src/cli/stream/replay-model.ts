import { UsageError } from '../../plugin.ts';
import { isProviderModel, type NamedModel, namedModel, type SummarizerConfig } from '../../stream.ts';
import * as flag from '../flags.ts';
import { refuseProviderFlags } from './model-calls.ts';

export const MODEL_FLAGS = {
  model: flag.text('<model>', 'recorded:DIR, heuristic, or PROVIDER/NAME such as openai/gpt-4o-mini'),
  temperature: flag.temperature('PROVIDER/NAME: temperature (default: 0); none for models that do not accept one'),
  baseUrl: flag.text('<url>', 'PROVIDER/NAME: address of the server, if it is not the provider’s'),
  timeout: flag.integer('<seconds>', 'PROVIDER/NAME: longest wait for one answer (default: 60)', { from: 1, to: 3600 }),
};

/** The model of the flags, or else of summarizer.yaml; `unusedSettings`: what of that file has no effect with it. */
export async function replayModel(
  { model: flagged, temperature, baseUrl, timeout }: flag.FlagValues<typeof MODEL_FLAGS>,
  config: SummarizerConfig | null,
): Promise<NamedModel & { readonly unusedSettings: readonly string[] }> {
  const file = config?.file ?? null;
  const settings = file?.values.model ?? {};
  const name = flagged ?? settings.name;
  if (name === undefined)
    throw new UsageError(
      "required option '--model <model>' not specified",
      'recorded:DIR, heuristic, or PROVIDER/NAME; summarizer.yaml may name one under model.name',
    );
  const isProvider = isProviderModel(name);
  if (!isProvider) refuseProviderFlags(name, { temperature, baseUrl, timeout });
  // The server of one model is not that of another.
  const isOfFile = settings.name === undefined || name === settings.name;
  const used = { temperature: isProvider, timeout_seconds: isProvider, base_url: isProvider && isOfFile };
  const unusedSettings = Object.entries(used).flatMap(([key, isUsed]) =>
    file === null || isUsed || !Object.hasOwn(settings, key)
      ? []
      : [`${file.placeOf(`model.${key}`)}: model.${key} is not used: --model ${name} answers`],
  );
  const seconds = timeout ?? settings.timeout_seconds;
  const server = baseUrl ?? (isOfFile ? settings.base_url : undefined);
  const model = await namedModel(name, {
    temperature: [temperature, settings.temperature, 0].find((value) => value !== undefined) ?? null,
    ...(server === undefined ? {} : { baseUrl: server, isBaseUrlFromFile: baseUrl === undefined }),
    ...(seconds === undefined ? {} : { timeoutMs: 1000 * seconds }),
  });
  return { ...model, unusedSettings };
}
