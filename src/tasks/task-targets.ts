// What reads experiments, with the targets that are made for tasks among the kinds that they may name.
import { registerTargets } from '../experiment/targets/target-kinds.ts';
import { rag, vanilla } from './consult/advice-targets.ts';
import { graphExtractor } from './graph/extractor.ts';
import { journalExtractor } from './journal/extractor.ts';

registerTargets(journalExtractor, graphExtractor, vanilla, rag);

export { experimentFileSchema } from '../experiment/run/experiment-schema.ts';
export { loadExperiment, loadSystems } from '../experiment/run/load-experiment.ts';
export { openTarget, targetKind, targetSchema } from '../experiment/targets/target-kinds.ts';
