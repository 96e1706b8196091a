import { UsageError } from '../../data/problems.ts';
import {
  hasSchemas,
  type ItemSchemas,
  type ItemValidator,
  makeItemValidator,
} from '../../experiment/datasets/validate-item.ts';
import { schemaRefusal } from '../../langfuse/dataset-schema.ts';
import { type Issue, Refusal } from '../refusal.ts';

const EXPECTED = 'expected_output';
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

/** Refuses schemas that Langfuse refuses, in its words and with the reason. */
export function checkSchemas(schemas: Readonly<Record<string, unknown>>): void {
  const issues = Object.entries(schemas).flatMap(([name, schema]): Issue[] => {
    const reason = schema === undefined || schema === null ? null : schemaRefusal(schema);
    return reason === null ? [] : [{ code: 'custom', path: [name], message: `Must be a valid JSON Schema: ${reason}` }];
  });
  if (issues.length > 0) throw new Refusal(400, 'Invalid request data', issues);
}

/** What of an item does not fit the schemas of its dataset, or null. Schemas that are none are refused. */
export function itemProblem(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): string | null {
  if (!hasSchemas(schemas)) return null;
  try {
    const faults = checked(item, schemas);
    const parts = [
      ['Input validation failed', faults.filter(({ path }) => !path.startsWith(EXPECTED))],
      ['Expected output validation failed', faults.filter(({ path }) => path.startsWith(EXPECTED))],
    ] as const;
    const failed = parts.filter(([, each]) => each.length > 0);
    return failed.length === 0 ? null : failed.map(([what, each]) => `${what}: ${faultWords(each)}`).join('; ');
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

function faultWords(faults: ReturnType<ItemValidator>): string {
  // In files of items it is called otherwise.
  const said = faults
    .slice(0, FAULTS_SAID)
    .map(({ path, message }) => `${path.replace(EXPECTED, 'expectedOutput')}: ${message}`);
  return `${said.join(', ')}${faults.length > said.length ? `, and ${faults.length - said.length} more` : ''}`;
}
