import { makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { planRecipe } from '../../src/recipe/plan.ts';

/** Returns a function that lists the components which the checklist of a preset ticks in an answer. */
export async function checklistOf(preset: string): Promise<(response: string, language?: string) => readonly string[]> {
  const plan = await planRecipe(preset);
  const { step } = plan.prepare.find(({ name }) => name === 'find-components')!;
  return (response, language = 'en') => {
    const item = makeItem({ kind: 'answer', index: 0, label: 'answer', text: response, fields: { language } });
    const out = step(makeCase({ id: 'c', logged: [{ item, verdict: 'excused', rule: 'logged' }] }));
    return ('id' in out ? [out] : out).flatMap(({ predicted }) => predicted.map(({ label }) => label));
  };
}
