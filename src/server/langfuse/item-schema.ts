import { UsageError } from '../../data/problems.ts';
import {
  hasSchemas,
  type ItemSchemas,
  type ItemValidator,
  makeItemValidator,
} from '../../experiment/datasets/validate-item.ts';
import { schemaRefusal } from '../../langfuse/dataset-schema.ts';
import { Refusal } from '../refusal.ts';

const EXPECTED = 'expected_output';
const KEPT_VALIDATORS = 64;
const FAULTS_SHOWN = 5;
/** A check of an item takes less than a millisecond. One this slow keeps everybody else waiting… */
const SLOW_MS = 100;
/** … and once a schema has done so for that long, nothing more is checked by it. */
const MOST_SLOW_MS = 3000;

/** Making one takes longer than checking by it, and items of one dataset come one by one. */
const validators = new Map<string, { readonly validate: ItemValidator; slowMs: number }>();

/** Refuses schemas that Langfuse refuses, in its words and with the reason. */
export function checkSchemas(schemas: Readonly<Record<string, unknown>>): void {
  const issues = Object.entries(schemas).flatMap(([name, schema]) => {
    const reason = schema === undefined || schema === null ? null : schemaRefusal(schema);
    return reason === null ? [] : [{ code: 'custom', path: [name], message: `Must be a valid JSON Schema: ${reason}` }];
  });
  if (issues.length > 0) throw new Refusal(400, 'Invalid request data', { fields: { error: issues } });
}

/** What of an item does not fit the schemas of its dataset, or null. Schemas that cannot be used are refused. */
export function itemProblem(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): string | null {
  if (!hasSchemas(schemas)) return null;
  const faults = faultsOf(item, schemas);
  const isExpected = ({ path }: (typeof faults)[number]): boolean => path.startsWith(EXPECTED);
  const failed = [
    ['Input validation failed', faults.filter((fault) => !isExpected(fault))],
    ['Expected output validation failed', faults.filter(isExpected)],
  ] as const;
  const problems = failed.flatMap(([what, each]) => (each.length === 0 ? [] : [`${what}: ${faultList(each)}`]));
  return problems.length === 0 ? null : problems.join('; ');
}

function faultsOf(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): ReturnType<ItemValidator> {
  try {
    const validator = validatorOf(schemas);
    if (validator.slowMs > MOST_SLOW_MS) throw new UsageError(TOO_SLOW);
    const start = performance.now();
    try {
      return validator.validate(item);
    } finally {
      const took = performance.now() - start;
      if (took > SLOW_MS) validator.slowMs += took;
    }
  } catch (error) {
    throw error instanceof UsageError ? new Refusal(400, error.message) : error;
  }
}

const TOO_SLOW = 'Checking by the schemas of this dataset takes too long, so that nothing more is checked by them.';

function validatorOf(schemas: ItemSchemas) {
  const key = JSON.stringify([schemas.input, schemas.expectedOutput]);
  const kept = validators.get(key) ?? { validate: makeItemValidator(schemas), slowMs: 0 };
  if (!validators.has(key) && validators.size >= KEPT_VALIDATORS) validators.clear();
  validators.set(key, kept);
  return kept;
}

function faultList(faults: ReturnType<ItemValidator>): string {
  // Files of items have another name for it.
  const shown = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ path, message }) => `${path.replace(EXPECTED, 'expectedOutput')}: ${message}`);
  return `${shown.join(', ')}${faults.length > shown.length ? `, and ${faults.length - shown.length} more` : ''}`;
}
