import type { Sweep } from '../tasks/stream/calibrate/sweep.ts';
import { count } from '../text/figures.ts';
import { OBJECTIVES } from './stream-calibration-words.ts';
import { paretoFigure } from './svg/pareto-figure.ts';

const DRAWN = ['flush_count_mean', 'ttff_content_p50_ms', 'worst_wait_p95_ms'] as const;

/** The policies that keep to every constraint, as updates against the two kinds of waiting. */
export function sweepFigure(sweep: Sweep): string {
  const { policies, chosen, cases, survivors, objectives } = sweep;
  const names = objectives.map(({ name }) => name);
  const usualObjectives = names.length === DRAWN.length && DRAWN.every((name) => names.includes(name));
  const removed = policies.length - survivors;
  return paretoFigure({
    policies: policies
      .filter(({ violations }) => violations.length === 0)
      .map(({ policy, scores, onFront, place }) => ({
        id: policy.id,
        updates: scores.flush_count_mean.value,
        latencyMs: scores.ttff_content_p50_ms.value,
        tailMs: scores.worst_wait_p95_ms.value,
        onFront,
        chosen: place === chosen?.place,
      })),
    names: {
      updates: 'updates: flushes a case, mean',
      latency: 'first flush, median over cases',
      tail: 'words are held, p95',
    },
    traces: cases.length,
    notes: [
      ...(removed === 0 ? [] : [`${count(removed)} policies that break a constraint are not drawn.`]),
      ...(usualObjectives
        ? []
        : [`Here the front is that of ${names.map((name) => OBJECTIVES[name].title).join(', ')}.`]),
    ],
  });
}
