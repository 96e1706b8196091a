import { UsageError } from '../../data/problems.ts';
import {
  hasSchemas,
  type ItemSchemas,
  type ItemValidator,
  makeItemValidator,
} from '../../experiment/datasets/validate-item.ts';
import { Refusal } from './refusal.ts';

const KEPT_VALIDATORS = 64;
const FAULTS_SAID = 5;
/** Making one takes longer than checking by it, and items of one dataset come one by one. */
const validators = new Map<string, ItemValidator>();

/** What of an item does not fit the schemas of its dataset, or null. Schemas that are none are refused. */
export function itemProblem(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): string | null {
  if (!hasSchemas(schemas)) return null;
  try {
    const faults = validatorOf(schemas)(item);
    if (faults.length === 0) return null;
    const said = faults.slice(0, FAULTS_SAID).map(({ path, message }) => `${asInTheApi(path)}: ${message}`);
    return `${said.join('; ')}${faults.length > said.length ? `; and ${faults.length - said.length} more` : ''}`;
  } catch (error) {
    if (error instanceof UsageError) throw new Refusal(400, error.message);
    throw error;
  }
}

function validatorOf(schemas: ItemSchemas): ItemValidator {
  const key = JSON.stringify([schemas.input, schemas.expectedOutput]);
  const kept = validators.get(key);
  if (kept !== undefined) return kept;
  const made = makeItemValidator(schemas);
  if (validators.size >= KEPT_VALIDATORS) validators.clear();
  validators.set(key, made);
  return made;
}

/** In files of items it is called otherwise. */
function asInTheApi(path: string): string {
  return path.replace(/^expected_output/, 'expectedOutput');
}
