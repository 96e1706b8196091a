import { counted } from '../../text/figures.ts';
import type { TimelineAgent, TimelineVariant } from './timeline-data.ts';
import { decisionSign, flushSign } from './timeline-marks.ts';

/** What the timeline shows, for those who cannot see it. */
export function timelineSentences(agents: readonly TimelineAgent[], variants: readonly TimelineVariant[]): string {
  const turns = agents.reduce((sum, agent) => sum + agent.turns.length, 0);
  const who = `${counted(turns, 'turn')} of ${counted(agents.length, 'agent')}.`;
  return [who, ...variants.map(variantSentence)].join(' ');
}

function variantSentence({ name, flushes, decisions, summaries }: TimelineVariant): string {
  const failed = summaries.filter(({ schemaOk }) => !schemaOk).length;
  const parts = [
    `${counted(flushes.length, 'flush', 'flushes')}${byName(flushes.map(({ reason }) => flushSign(reason).name))}`,
    `${counted(decisions.length, 'decision')}${byName(decisions.map(({ outcome }) => decisionSign(outcome).name))}`,
    `${counted(summaries.length, 'summary', 'summaries')}, ${failed} of them with a schema failure`,
  ];
  return `${name}: ${parts.join('; ')}.`;
}

function byName(names: readonly string[]): string {
  if (names.length === 0) return '';
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ` (${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')})`;
}
