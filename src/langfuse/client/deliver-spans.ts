import { UsageError } from '../../data/problems.ts';
import { spansAnswer } from './answers.ts';
import type { Connection } from './connection.ts';
import type { TraceSpans } from './item-spans.ts';
import { otlpRequest } from './otlp.ts';

// Langfuse takes up to 16 MiB at once; servers before it often less.
const MOST_CHARACTERS = 2 << 20;

/** Sends them and makes sure that the server has taken them all. */
export async function deliverSpans(connection: Connection, traces: readonly TraceSpans[]): Promise<void> {
  for (const batch of bySize(traces)) await send(connection, batch);
}

async function send({ api, calls }: Connection, batch: readonly TraceSpans[]): Promise<void> {
  const request = otlpRequest(
    batch[0]!.scope,
    batch.flatMap(({ spans }) => spans),
  );
  const answer = await calls.make('send traces', spansAnswer, (options) =>
    api.opentelemetry.exportTraces(request, options),
  );
  const rejected = answer?.partialSuccess?.rejectedSpans ?? 0;
  if (rejected > 0)
    throw new UsageError(
      calls.withoutKeys(
        `Langfuse at ${calls.place} took a batch of traces without ${rejected} of its spans: ${answer?.partialSuccess?.errorMessage ?? 'it does not say why'}`,
      ),
    );
}

function* bySize(traces: readonly TraceSpans[]): Generator<readonly TraceSpans[]> {
  let batch: TraceSpans[] = [];
  let characters = 0;
  for (const one of traces) {
    const { length } = JSON.stringify(one.spans);
    if (batch.length > 0 && characters + length > MOST_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(one);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
