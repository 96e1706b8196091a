import type { IdGenerator } from '@opentelemetry/sdk-trace-node';

/** Gives spans the ids they are meant to have: a trace that is sent again is the same trace. */
export class GivenIds implements IdGenerator {
  #traceId: string | null = null;
  #spanId: string | null = null;

  /** For the span that is started next. */
  next(traceId: string, spanId: string): void {
    this.#traceId = traceId;
    this.#spanId = spanId;
  }

  readonly generateTraceId = (): string => known(this.#traceId);

  readonly generateSpanId = (): string => {
    const id = known(this.#spanId);
    this.#spanId = null;
    return id;
  };
}

function known(id: string | null): string {
  if (id === null) throw new Error('a span was started for which no id was given');
  return id;
}
