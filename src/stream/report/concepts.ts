import { join } from 'node:path';

import { count, plural, type Document, figure, quiet, shellWord, type Text, textColumns } from '../../plugin.ts';
import type { ExplainedCandidate, ExplainedMention } from '../concepts/extractor.ts';
import { STOP_CONCEPTS_FILE, STOP_SURFACES_FILE } from '../concepts/stoplist-files.ts';
import { REPORT_FILE } from '../concepts/stoplist-outputs.ts';
import { stopped, type StopReport } from '../concepts/stoplist.ts';

/** The concepts of a text with the mentions that led to them; `all` shows also candidates below the threshold. */
export function conceptsDocument(
  ids: readonly string[],
  mentions: readonly ExplainedMention[] | null,
  all: boolean,
): Document {
  return {
    title: ids.length === 0 ? 'No concepts.' : `${plural(ids.length, 'concept')}: ${ids.join(' ')}`,
    sections: [
      { blocks: [mentions === null ? { text: quiet('This extractor does not explain how it found them.') } : null] },
      {
        blocks: [
          {
            columns: [
              ...textColumns('mention'),
              { title: 'concept' },
              ...textColumns('name'),
              { title: 'score', align: 'right' },
              { title: '' },
            ],
            rows: grouped(mentions ?? []).flatMap(({ mention, times }) => mentionRows(mention, times, all)),
          },
        ],
      },
    ],
  };
}

interface MentionGroup {
  readonly mention: ExplainedMention;
  times: number;
}

/** A text repeats itself; what became of a mention is shown once. */
function grouped(mentions: readonly ExplainedMention[]): MentionGroup[] {
  const groups = new Map<string, MentionGroup>();
  for (const mention of mentions) {
    const key = JSON.stringify([mention.surface.toLowerCase(), mention.lookedUp, mention.dropped, mention.candidates]);
    const group = groups.get(key) ?? { mention, times: 0 };
    group.times += 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

function mentionRows({ surface, lookedUp, dropped, candidates }: ExplainedMention, times: number, all: boolean) {
  const searched = lookedUp === null ? surface : `${surface} = ${lookedUp}`;
  const name = times === 1 ? searched : `${searched} (${times} times)`;
  if (dropped !== null) return [[name, '', '', '', quiet(dropped)]];
  const shown = candidates.filter((candidate) => all || candidate.dropped !== 'below threshold');
  return shown.map((candidate, at): Text[] => [at === 0 ? name : '', ...candidateCells(candidate)]);
}

function candidateCells({ id, name, alias, score, dropped }: ExplainedCandidate): Text[] {
  const shown = name === null ? '' : alias === null || alias === name ? name : `${name} (${alias})`;
  const texts = [id, shown, figure(score)];
  return dropped === null ? [...texts, { text: 'taken', tone: 'good' }] : [...texts, dropped].map(quiet);
}

export function stoplistDocument(report: StopReport, notices: readonly string[], out: string): Document {
  const { cutoff, cases, rows, knowsSurfaces } = report;
  const list = (type: 'CUI' | 'SURFACE', noun: string, file: string): string => {
    const all = rows.filter((row) => row.type === type).length;
    return `${plural(stopped(report, type).length, noun)} of ${count(all)}: ${join(out, file)}`;
  };
  return {
    title: `In at least ${cutoff} of ${plural(cases, 'trace')}:`,
    sections: [
      {
        blocks: [
          { text: list('CUI', 'concept', STOP_CONCEPTS_FILE), whole: true },
          knowsSurfaces
            ? { text: list('SURFACE', 'surface form', STOP_SURFACES_FILE), whole: true }
            : { text: 'Surface forms are not known: this extractor does not report which words it looked up.' },
          { text: `All by frequency: ${join(out, REPORT_FILE)}`, whole: true },
          { list: notices, mark: 'warning' },
          { text: `Use them: --stoplists ${shellWord(out)}`, tone: 'quiet', whole: true },
        ],
      },
    ],
  };
}
