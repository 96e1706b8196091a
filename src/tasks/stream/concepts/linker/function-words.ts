/**
 * English words that name nothing: articles, pronouns, prepositions, conjunctions, auxiliaries, and adverbs that connect
 * or grade. A run of other words may be a name.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those each every either neither some any no none all both few many much more most less least
  other another such same own several enough
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs one ones who whom
  whose which what myself ourselves yourself himself herself itself themselves someone something anyone anything nothing
  about above across after against along among amid around as at before behind below beneath beside besides between
  beyond but by concerning despite down during except for from in inside into like near of off on onto out outside over
  past per regarding since through throughout till to toward towards under until up upon versus via vs with within
  without
  and or nor so yet if unless because although though while whereas whether when whenever where wherever than then thus
  hence therefore however moreover furthermore otherwise instead meanwhile
  am is are was were be been being have has had having do does did doing done can could may might must shall should will
  would ought cannot let lets get gets got
  not only also too very quite rather just even still already again once ever never often sometimes usually always
  perhaps maybe here there now today how why well almost nearly especially particularly likely unlikely further
  etc ie eg e.g i.e please yes
  isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't it's
  there's that's let's here's what's i'm i've i'd i'll we're we've we'd we'll you're you've they're they've he's she's`.split(
    /\s+/,
  ),
);

/** `lower` in lower case, with a straight apostrophe or a curly one. */
export function isFunctionWord(lower: string): boolean {
  return FUNCTION_WORDS.has(lower.includes('’') ? lower.replaceAll('’', "'") : lower);
}
