import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';

/** Cases with these texts, each with an answer and, where it is said, a predicted class. */
export function answered(
  texts: readonly string[],
  answerOf: (text: string, at: number) => string,
  classOf?: (at: number) => string,
): Case[] {
  return texts.map((text, at) =>
    makeCase({
      id: `c${at}`,
      text,
      gold: [makeItem({ kind: 'class', index: 0, label: 'Vata', text: 'Vata' })],
      predicted:
        classOf === undefined ? [] : [makeItem({ kind: 'class', index: 0, label: classOf(at), text: classOf(at) })],
      logged: [
        {
          item: makeItem({ kind: 'answer', index: 0, label: 'answer', text: answerOf(text, at) }),
          verdict: 'excused',
          rule: 'logged',
        },
      ],
    }),
  );
}
