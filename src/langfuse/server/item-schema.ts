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
/** A check of an item takes less than a millisecond. One this slow keeps everybody else waiting… */
const SLOW_MS = 100;
/** … and once a schema has done so for that long, nothing more is checked by it. */
const MOST_SLOW_MS = 3000;

interface Kept {
  readonly validate: ItemValidator;
  /** How long slow checks took in all. */
  slowMs: number;
}

/** Making one takes longer than checking by it, and items of one dataset come one by one. */
const validators = new Map<string, Kept>();

/** What of an item does not fit the schemas of its dataset, or null. Schemas that are none are refused. */
export function itemProblem(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): string | null {
  if (!hasSchemas(schemas)) return null;
  try {
    const faults = checked(item, schemas);
    if (faults.length === 0) return null;
    const said = faults.slice(0, FAULTS_SAID).map(({ path, message }) => `${asInTheApi(path)}: ${message}`);
    return `${said.join('; ')}${faults.length > said.length ? `; and ${faults.length - said.length} more` : ''}`;
  } catch (error) {
    if (error instanceof UsageError) throw new Refusal(400, error.message);
    throw error;
  }
}

function checked(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): ReturnType<ItemValidator> {
  const kept = validatorOf(schemas);
  if (kept.slowMs > MOST_SLOW_MS) throw new Refusal(400, TOO_SLOW);
  const start = performance.now();
  try {
    return kept.validate(item);
  } finally {
    const took = performance.now() - start;
    if (took > SLOW_MS) kept.slowMs += took;
  }
}

const TOO_SLOW = 'Checking by the schemas of this dataset takes too long, so that nothing more is checked by them.';

function validatorOf(schemas: ItemSchemas): Kept {
  const key = JSON.stringify([schemas.input, schemas.expectedOutput]);
  const kept = validators.get(key);
  if (kept !== undefined) return kept;
  const made: Kept = { validate: makeItemValidator(schemas), slowMs: 0 };
  if (validators.size >= KEPT_VALIDATORS) validators.clear();
  validators.set(key, made);
  return made;
}

/** In files of items it is called otherwise. */
function asInTheApi(path: string): string {
  return path.replace(/^expected_output/, 'expectedOutput');
}
