import { parentPort, workerData } from 'node:worker_threads';

import type { Audit } from '../audit/finding.ts';
import type { Case } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import { offsetsFor } from '../data/item-check.ts';
import { errorCode } from '../data/source.ts';
import { SpanTapeReader } from '../data/span-tape.ts';
import { planRecipe } from '../recipe/plan.ts';
import { GrowingFiles, type RunFiles } from '../score/run-writer.ts';
import { Scoring } from '../score/score.ts';
import type { ExtrasNews, ExtrasOrder, ExtrasWork } from './extras-thread.ts';
import { reportFiles } from './html/watch-report.ts';

/**
 * A thread that works out what a run folder holds beside its numbers, from cases that another one has read. Their verdicts
 * are worked out again: in columns that takes less than to hand them over.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- extras-thread.ts starts it
const { origin, texts, aside, naming } = workerData as ExtrasOrder;
const plan = await planRecipe(origin.recipe, origin.set);
const files = new GrowingFiles(aside);
let audit: Audit | null = null;
const place: RunFiles = {
  aside,
  write: (file, content) => files.write(file, content),
  adopt: () => undefined,
  guard: (write) => write(),
};
const watch = await reportFiles({ texts, onAudit: (found) => (audit = found) })(plan, place, naming);
const scoring = new Scoring(plan, { schemes: false });
const tape = new SpanTapeReader();

async function work(given: ExtrasWork): Promise<ExtrasNews> {
  if ('block' in given) for (const one of tape.cases(given.block)) watch.sink.scored?.(scoring.add(one));
  await watch.sink.ready?.();
  if ('case' in given) watch.sink.scored?.(scoring.add(restored(given.case)));
  if (!('run' in given)) return { done: null };
  await watch.finish(given.run);
  return { done: { audit, files: files.end() } };
}

/** A case as it was before it was posted: with what is a function, and what is known by being the same object. */
function restored(given: Case): Case {
  const withFields = (item: Item): Item =>
    Object.keys(item.fields).length === 0 ? { ...item, fields: NO_FIELDS } : item;
  return {
    ...given,
    gold: given.gold.map(withFields),
    predicted: given.predicted.map(withFields),
    setAside: given.setAside.map((one) => ({ ...one, item: withFields(one.item) })),
    offsets: offsetsFor(given.text, plan.data.offsets),
  };
}

let last = Promise.resolve();
parentPort?.on('message', (given: ExtrasWork) => {
  last = last.then(async () => {
    const news = await work(given).catch((error: unknown): ExtrasNews => ({
      fault: {
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        code: errorCode(error),
      },
    }));
    parentPort?.postMessage(news, []);
    if ('run' in given) parentPort?.close();
  });
});
