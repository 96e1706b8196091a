import { z } from 'zod';

/** The settings that a schema knows at a path, to suggest the nearest right one. */
export function settingNamesAt(schema: z.ZodType, path: readonly string[]): string[] {
  let open: readonly unknown[] = [schema];
  for (const part of path) open = open.flatMap((one) => inside(one, part));
  return [...new Set(open.flatMap(objects).flatMap((object) => Object.keys(object.shape)))];
}

function inside(schema: unknown, part: string): readonly unknown[] {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, part) ? [schema.shape[part]] : [];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodArray) return [schema.element];
  return wrapped(schema).flatMap((inner) => inside(inner, part));
}

function objects(schema: unknown): z.ZodObject[] {
  return schema instanceof z.ZodObject ? [schema] : wrapped(schema).flatMap(objects);
}

/** What stands inside an optional, a default, a union or a preprocessed value. */
function wrapped(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return [schema.unwrap()];
  if (schema instanceof z.ZodExactOptional) return [schema.unwrap()];
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodPipe) return [schema.out];
  return [];
}
