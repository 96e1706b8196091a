import { z } from 'zod';

export const LEVELS = ['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'] as const;

/** Any JSON value; also nothing. */
export const anyJson = z.unknown().optional();

/**
 * Several fields of one type.
 *
 * @example fields(z.string(), 'id', 'name') // { id: z.string(), name: z.string() }
 */
export function fields<Type extends z.ZodType, const Name extends string>(
  type: Type,
  ...names: readonly Name[]
): Record<Name, Type>;
export function fields(type: z.ZodType, ...names: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

export const anyText = z.string();
export const optionalText = z.string().optional();
export const nullableText = z.string().nullable();
export const nullishText = z.string().nullish();
export const textList = z.array(z.string());

/** Name of a dataset or a prompt: slashes separate folders, which need names. */
export const folderName = z
  .string()
  .min(1)
  .regex(/^(?!.*<[^<>]*>)/s, { error: 'cannot contain HTML tags' })
  .regex(/^(?!\/)(?!.*\/\/)(?!.*\/$)/s, { error: 'cannot begin or end with a slash, or have two in a row' })
  .transform((name) => name.trim())
  .refine((name) => name !== '', { error: 'cannot be empty' });

/** A time as it is answered. */
export const time = z.iso.datetime();

/** A time as it is asked: with any offset, to any precision; kept in UTC with milliseconds. */
export const sentTime = z
  .string()
  .refine((sent) => /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(sent) && !Number.isNaN(Date.parse(sent)), {
    error: 'expected a time such as 2026-01-31T12:00:00Z',
  })
  .transform((sent) => new Date(sent).toISOString());

/** A field that may be missing or null, which then counts as missing. */
export function optional<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined);
}

/** A number written into a query. */
export const numberText = z
  .string()
  .refine((sent) => sent.trim() !== '' && Number.isFinite(Number(sent)), { error: 'expected a number' })
  .transform(Number);

export function wholeNumberText(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .refine((sent) => /^\d{1,16}$/.test(sent) && Number(sent) >= least && Number(sent) <= most, {
      error: `expected a whole number ${most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`}`,
    })
    .transform(Number);
}

export const flagText = z.enum(['true', 'false']).transform((sent) => sent === 'true');

/** `a,b` in a query. */
export const listText = z.string().transform((sent) =>
  sent
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** `environment=a&environment=b`: once is a text, more often is a list. */
export const repeated = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

/** `fields=a,b`: only groups that exist. */
export function fieldGroups<const Name extends string>(names: readonly Name[]) {
  return z.string().transform((sent, context) => {
    const groups = new Set<Name>();
    for (const part of sent.split(',').map((one) => one.trim())) {
      const known = names.find((name) => name === part);
      if (known !== undefined) groups.add(known);
      else if (part !== '') {
        context.addIssue({
          code: 'custom',
          message: `there is no group of fields called ${part}; groups are ${names.join(', ')}`,
        });
      }
    }
    return groups;
  });
}

export const numbersByName = z.record(z.string(), z.number());
export const textsByName = z.record(z.string(), z.string());
export const anyByName = z.record(z.string(), z.unknown());

/** What a deprecated endpoint may add to its answer. */
export const deprecation = z
  .strictObject({ message: z.string(), ...fields(optionalText, 'replacement', 'docsUrl', 'sunsetAt') })
  .optional();

const DEFAULT_LIMIT = 50;
const MOST_PER_PAGE = 100;

/** Of lists with numbered pages. */
export const pageQuery = {
  page: wholeNumberText(1).default(1),
  limit: wholeNumberText(1, MOST_PER_PAGE).default(DEFAULT_LIMIT),
};

/** Of lists that continue from a cursor. */
export function cursorQuery(most = MOST_PER_PAGE) {
  return { limit: wholeNumberText(1, most).default(DEFAULT_LIMIT), cursor: z.string().optional() };
}

export const pageMeta = z.strictObject({
  ...fields(z.int().min(1), 'page', 'limit'),
  ...fields(z.int().min(0), 'totalItems', 'totalPages'),
});

/** One page of a list. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), meta: pageMeta });
}

/** Of an endpoint that newer versions of Langfuse replace. */
export function deprecatedPageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), meta: pageMeta, _deprecation: deprecation });
}

/** Rows from a cursor on; without a cursor in the answer there are no more. */
export function cursorPageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), meta: z.strictObject({ cursor: z.string().optional() }) });
}
