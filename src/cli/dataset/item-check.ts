import { InputError, PROBLEMS_SHOWN, type Problem } from '../../data/problems.ts';
import type { Backend } from '../../experiment/backend.ts';
import { type ItemSchemas, checkEach, makeItemValidator } from '../../experiment/datasets/validate-item.ts';

/** Refuses schemas that items which are there do not fit, with what is wrong with them. */
export async function refuseMisfits(backend: Backend, dataset: string, schemas: ItemSchemas): Promise<void> {
  const validate = makeItemValidator(schemas);
  const problems: Problem[] = [];
  let total = 0;
  for await (const { item, faults } of checkEach(validate, backend.items(dataset), (one) => one))
    for (const { path, message } of faults) {
      total += 1;
      if (problems.length < PROBLEMS_SHOWN)
        problems.push({ file: `${dataset}, item ${item.id}`, line: null, field: path, message });
    }
  if (total > 0) throw new InputError(problems, total);
}
