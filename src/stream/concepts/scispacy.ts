import type { ExplainingExtractor, ExtractorIdentity } from './extractor.ts';
import { answerOf, type ExtractorFacts, readyLine } from './scispacy-answers.ts';
import { extractorHash, SCISPACY_PROGRAM, unfrozen } from './scispacy-freeze.ts';
import {
  DEFAULT_PICKS,
  mentionExtractor,
  pickFields,
  type PickSettings,
  type ScoredMention,
} from './scored-mentions.ts';
import { type Stoplist, stoplistHash } from './stoplist-files.ts';
import { TurnProcess } from './turn-process.ts';

/** The settings of scispaCy itself. */
interface ScispacySettings {
  readonly model: string;
  readonly linker: string;
  readonly resolveAbbreviations: boolean;
  readonly linkerThreshold: number;
  readonly linkerMaxEntities: number;
}

/** As the original evaluation has them. */
export const DEFAULT_SCISPACY: ScispacySettings = {
  model: 'en_core_sci_sm',
  linker: 'umls',
  resolveAbbreviations: true,
  linkerThreshold: 0.7,
  linkerMaxEntities: 10,
};

export interface ScispacyOptions extends Partial<ScispacySettings>, Partial<PickSettings> {
  /** The Python that has scispaCy; ours is the program that it runs. */
  readonly python?: string;
  /** Another program that speaks the same protocol, in place of Python and ours; takes the settings as an argument. */
  readonly command?: readonly string[];
  readonly stoplist?: Stoplist | null;
  /** The UMLS release, for the signature: scispaCy does not state it. */
  readonly kbVersion?: string | null;
  /** `sha256:…` of the extractor that was frozen: any other is refused. */
  readonly frozen?: string | null;
  /** Loading the model and the knowledge base takes a minute or two, and longer the first time. */
  readonly startSeconds?: number;
  readonly answerSeconds?: number;
}

const NEXT =
  'it needs Python with scispacy and its model (pip install scispacy; the model from the scispaCy releases); name the Python with --concepts scispacy:PYTHON, or use --concepts vocabulary';

/** Asks scispaCy in a separate process. Which of its candidates count is decided here, in the original's order. */
export async function scispacyExtractor(options: ScispacyOptions = {}): Promise<ExplainingExtractor> {
  const { stoplist = null, kbVersion = null, startSeconds = 900, answerSeconds = 300 } = options;
  const frozen = options.frozen ?? process.env['ASSAY_EXTRACTOR_HASH'] ?? null;
  const settings = overDefaults(DEFAULT_SCISPACY, options);
  const picks = overDefaults(DEFAULT_PICKS, options);
  const command = [...(options.command ?? [options.python ?? 'python3', SCISPACY_PROGRAM]), argumentOf(settings)];
  const program = new TurnProcess({ command, what: 'scispaCy', next: NEXT, startSeconds, answerSeconds });
  const refuse = (problem: string): never => {
    program.kill();
    throw program.failure(problem);
  };
  const first = readyLine(await program.ready());
  if ('problem' in first) return refuse(first.problem);
  const hash = options.command === undefined ? extractorHash() : null;
  const other = unfrozen(frozen, hash, first.facts.packages ?? null);
  if (other !== null) return refuse(other);
  let asked = 0;

  const ask = async (text: string): Promise<readonly ScoredMention[]> => {
    asked += 1;
    const id = asked;
    const found = answerOf(await program.ask(JSON.stringify({ id, text })));
    if ('problem' in found) return refuse(found.problem);
    const { answer } = found;
    if (answer.error !== undefined) throw program.failure(`failed on a text: ${answer.error}`);
    if (answer.id !== id) return refuse(`a bad answer: expected the id ${id}, found ${String(answer.id)}`);
    if (answer.mentions === undefined) return refuse('a bad answer: expected mentions with candidates and scores');
    return answer.mentions;
  };
  return {
    ...mentionExtractor({
      identity: scispacyIdentity({ facts: first.facts, hash, settings, picks, stoplist, kbVersion }),
      mentionsOf: ask,
      picks,
      stoplist,
      badAnswer: (problem) => program.failure(`a bad answer: ${problem}`),
    }),
    close: () => program.close(),
  };
}

function argumentOf(settings: ScispacySettings): string {
  return JSON.stringify({
    model: settings.model,
    linker: settings.linker,
    resolve_abbreviations: settings.resolveAbbreviations,
    threshold: settings.linkerThreshold,
    max_entities: settings.linkerMaxEntities,
  });
}

interface IdentityParts {
  readonly facts: ExtractorFacts;
  /** Of the program and its requirements; null for a program that is not ours. */
  readonly hash: string | null;
  readonly settings: ScispacySettings;
  readonly picks: PickSettings;
  readonly stoplist: Stoplist | null;
  readonly kbVersion: string | null;
}

function scispacyIdentity({ facts, hash, settings, picks, stoplist, kbVersion }: IdentityParts): ExtractorIdentity {
  return {
    name: 'scispacy',
    version: facts.scispacy ?? 'not stated',
    settings: {
      spacy: facts.spacy ?? null,
      model: facts.model ?? settings.model,
      model_version: facts.model_version ?? null,
      linker: facts.linker ?? settings.linker,
      kb_version: facts.kb_version ?? kbVersion,
      kb_concepts: facts.kb_concepts ?? null,
      resolve_abbreviations: settings.resolveAbbreviations,
      linker_threshold: settings.linkerThreshold,
      linker_max_entities: settings.linkerMaxEntities,
      extractor_hash: hash,
      packages: facts.packages ?? null,
      ...pickFields(picks),
    },
    knowledgeBase: facts.kb_sha256 ?? null,
    stoplist: stoplistHash(stoplist),
  };
}

/** The defaults with what of them the options have in their place. */
function overDefaults<T extends object>(defaults: T, options: Partial<T>): T {
  const chosen = Object.entries(options).filter(([key, value]) => key in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(chosen) };
}
