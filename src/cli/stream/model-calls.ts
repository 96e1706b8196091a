import { TargetError } from '../../experiment.ts';
import { unlockFolder, UsageError } from '../../plugin.ts';
import { type Batches, batchTransport, withoutNeedOfKeys } from '../../experiment.ts';
import { isProviderModel, type NamedModel, namedModel, type ReplayQueue, type SummarizerConfig } from '../../stream.ts';
import { BATCH_FLAGS, batchOf, submittedText } from '../batch-flags.ts';
import * as flag from '../flags.ts';
import type { QUEUE_FLAGS } from '../run/queue-flags.ts';
import { clearOnInterrupt } from '../interrupt.ts';

/** A setting without effect would pass for one that was in force. */
export function refuseProviderFlags(model: string, flags: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(flags))
    if (value !== undefined)
      throw new UsageError(`${flag.flagName(key)} is for PROVIDER/NAME, not for --model ${model}`, 'leave it out');
}

/** A refused key is not a bug, and nothing that was finished is lost. */
export function refusedCall(error: unknown): never {
  if (!(error instanceof TargetError)) throw error;
  throw new UsageError(error.message.split('\n'), 'finished cases are kept: run the same command again');
}

/** For work that is done case by case into a locked folder. */
export function keepFinishedCases(folder: string, hasBatches = false): void {
  const batches = hasBatches ? 'batches stay with the provider, ' : '';
  clearOnInterrupt(
    { abandon: () => unlockFolder(folder) },
    `${batches}finished cases are kept, and the same command resumes after them.`,
  );
}

/** Flags of the model that summarizes. */
export const MODEL_FLAGS = {
  model: flag.string('<model>', 'recorded:DIR, heuristic, or PROVIDER/NAME such as openai/gpt-4o-mini'),
  temperature: flag.temperature('PROVIDER/NAME: temperature (default: 0); none for models that do not accept one'),
  baseUrl: flag.string('<url>', 'PROVIDER/NAME: address of the server, if it is not the provider’s'),
  timeout: flag.integer('<seconds>', 'PROVIDER/NAME: longest wait for one answer (default: 60)', { from: 1, to: 3600 }),
  ...BATCH_FLAGS,
};

const DEFAULT_SECONDS = 60;
/** Cases at a time, each with one call out. */
export const DEFAULT_CASES = 4;

/** The model of the flags, or else of summarizer.yaml; `unusedSettings`: what of that file has no effect with it. */
export async function replayModel(
  {
    model: flagged,
    temperature,
    baseUrl,
    timeout,
    queue,
    ...flags
  }: flag.FlagValues<typeof MODEL_FLAGS & typeof QUEUE_FLAGS>,
  config: SummarizerConfig | null,
  folder: string,
  onNotice: (text: string) => void,
): Promise<
  NamedModel & {
    readonly unusedSettings: readonly string[];
    readonly batches: Batches | null;
    readonly spec: ReplayQueue['model'];
  }
> {
  const file = config?.file ?? null;
  const settings = file?.values.model ?? {};
  const name = flagged ?? settings.name;
  if (name === undefined)
    throw new UsageError(
      "required option '--model <model>' not specified",
      'recorded:DIR, heuristic, or PROVIDER/NAME; summarizer.yaml may name one under model.name',
    );
  const isProvider = isProviderModel(name);
  const batch = batchOf(flags);
  // A queue of the environment is for commands that ask a provider.
  const namedQueue = queue === process.env['ASSAY_QUEUE'] ? undefined : queue;
  if (!isProvider)
    refuseProviderFlags(name, { temperature, baseUrl, timeout, queue: namedQueue, batch: batch ?? undefined });
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
  const onSubmitted = (id: string, count: number): void => onNotice(submittedText(id, count));
  const single = { timeoutMs: 1000 * (seconds ?? DEFAULT_SECONDS), atOnce: DEFAULT_CASES };
  const batches = batch === null ? null : batchTransport({ ...batch, folder, single, onNotice, onSubmitted });
  const spec = {
    name,
    temperature: [temperature, settings.temperature, 0].find((value) => value !== undefined) ?? null,
    ...(server === undefined ? {} : { baseUrl: server }),
    ...(seconds === undefined ? {} : { timeoutMs: 1000 * seconds }),
  };
  const model = await namedModel(name, {
    ...spec,
    ...(server === undefined ? {} : { isBaseUrlFromFile: baseUrl === undefined }),
    // Workers have the keys.
    ...(queue === undefined ? {} : { environment: withoutNeedOfKeys(process.env) }),
    ...(batches === null ? {} : { batches, timeoutMs: Infinity }),
    ...(batch?.only === true ? { retries: 0 } : {}),
  });
  return { ...model, unusedSettings, batches, spec };
}
