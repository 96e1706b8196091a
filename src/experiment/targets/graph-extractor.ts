import { isRecord } from '../../data/record-fields.ts';
import { schemaCheck } from './answer-schema.ts';
import { GRAPH_SCHEMA_VERSION, graphSchema, READABLE_GRAPH } from './graph-schema.ts';
import { declaredTypes, typeLines } from './graph-types.ts';
import { modelTarget } from './model-task.ts';
import { promptBody } from './prompt-body.ts';
import { GRAPH_EXTRACTION } from './prompts/graph-extraction.ts';
import { readJsonAnswer } from './read-answer.ts';
import { type Target, TargetError } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';

/** Fields of the input that may be missing: a prompt that names them finds nothing there, not a mistake. */
const OPTIONAL = { object_schemas: null, relationship_schemas: null, allowed_types: null, available_tags: null };

/**
 * Entities and relationships of the types that the item names. What the model says is kept as it is, also a type that
 * was not asked for or an end that leads nowhere: scoring judges that.
 */
export async function graphExtractor(spec: SpecOf<'graph-extractor'>, context: TargetContext): Promise<Target> {
  const check = schemaCheck(READABLE_GRAPH, 'schema');
  return modelTarget(spec, context, {
    answerFormat: spec.answerFormat,
    schemaName: 'graph',
    prompt: await promptBody(spec, context, GRAPH_EXTRACTION),
    identity: { rules: GRAPH_SCHEMA_VERSION },
    question({ input }) {
      const fields: Readonly<Record<string, unknown>> = isRecord(input) ? input : {};
      const text = isRecord(input) ? input['document_text'] : input;
      if (typeof text !== 'string')
        throw new TargetError({
          kind: 'request',
          message: 'the input has no document: expected {document_text} or a text',
        });
      const entities = declaredTypes(fields['object_schemas'], fields['allowed_types']);
      const relationships = declaredTypes(fields['relationship_schemas'], null);
      const known = {
        ...OPTIONAL,
        ...fields,
        document_text: text,
        entity_types: typeLines(entities, 'any: name the kind of thing, such as Person or Place'),
        relationship_types: typeLines(relationships, 'any: a verb in lower case with underscores, such as employed_by'),
      };
      return { known, text, schema: graphSchema(entities, relationships), passages: null };
    },
    read: (answer) => readJsonAnswer(answer, check),
  });
}
