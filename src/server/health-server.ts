import { listen, type RunningServer } from './listen.ts';
import { Refusal } from './refusal.ts';
import { publicGate, route, serverApp } from './server-app.ts';

export interface HealthServerOptions {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly isHealthy: () => Promise<boolean>;
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly log: (line: string) => void;
}

const TEXT_TYPE = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** Serves /healthz for probes and /metrics for Prometheus. */
export function serveHealth({ host, port, isHealthy, metrics, log }: HealthServerOptions): Promise<RunningServer> {
  const refusalBody = ({ message }: Refusal): string => JSON.stringify({ message });
  const routes = [
    route('GET', '/healthz', publicGate, async (context) =>
      (await isHealthy()) ? context.text('ok\n') : context.text('the queue does not answer\n', 503),
    ),
    route('GET', '/metrics', publicGate, async (context) => context.body(await metrics(), 200, TEXT_TYPE)),
  ];
  const app = serverApp({
    parts: [{ routes }],
    reach: { bound: host, published: null },
    gate: publicGate,
    missing: () => new Refusal(404, 'only /healthz and /metrics are here'),
    refusalBody,
    logged: () => '',
    log,
  });
  return listen({ app, refusalBody, host, port, portFlag: '--health', log });
}
