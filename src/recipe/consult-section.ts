import { z } from 'zod';

/** What is special to consultations: where the files say what, and whose word is the ground truth. */
export const consultSection = z.strictObject({
  id: z.string().default('id').meta({ description: 'column of the cases that names them' }),
  text: z.string().default('scenario').meta({ description: 'column of the cases with what the person wrote' }),
  gold: z.string().default('ground_truth_prakriti').meta({ description: 'column of the cases with the given class' }),
  answered: z.string().default('case_id').meta({ description: 'field of an answer that names its case' }),
  response: z.string().default('response').meta({ description: 'field of an answer with its words' }),
  predicted: z
    .string()
    .default('predicted_prakriti')
    .meta({ description: 'field of an answer with the class it gives' }),
  passages: z.string().default('retrieved_context').meta({ description: 'field of an answer with what was retrieved' }),
  languages: z
    .array(z.string())
    .min(1)
    .default(['en', 'hi'])
    .meta({ description: 'the first is the default if an answer states none, and the others are compared with it' }),
  truth: z.enum(['experts', 'given', 'auto']).default('auto').meta({
    description: 'whose class counts: the majority of the experts, the given one, or experts once there are any',
  }),
  question: z
    .string()
    .default('prakriti')
    .meta({ description: 'the question of the review form by which experts give the class' }),
  claims: z.string().default('claims').meta({ description: 'the question of the review form that labels claims' }),
  ticks: z
    .string()
    .default('components')
    .meta({ description: 'the question of the review form that ticks components' }),
});
export type ConsultSection = z.infer<typeof consultSection>;

export const PLAIN_CONSULT: ConsultSection = consultSection.parse({});
