/** English words that the rules of spelling count wrongly, by how many syllables they have. Plurals in -s are found too. */
const BY_COUNT: readonly (readonly [count: number, words: string])[] = [
  [1, 'aisle ached aches fiend friend gauge once prayer scheme shh hmm tongue whoa'],
  [
    2,
    'acne acre adobe ague argue argued banyan biped bowel brilliant business cafe canyon cashier chickpea cocoa crier crooked ' +
      'cruel diamond drier duel embed evening flier fluoride freer freest frontier fuchsia fuel genre gruel guinea ' +
      'hatred headaches backaches toothaches earaches hundred imbed ion jagged kindred liar lion moped naive naked ' +
      'nauseous ninety ogre pharaoh pigeon posse premier ragged righteous rugged sacred safety seance segue soldier ' +
      'soybean steroid triage unclear valiant wicked wretched',
  ],
  [
    3,
    'beloved cereal coyote deity element complement implement supplement finale forensic forever heroin karate koala ' +
      'lineage linear nuclear oasis overseas recipe sesame simile somersault stomachaches tamale tenement vehement wavering',
  ],
  [
    4,
    'anemone apostrophe catastrophe conscientious diabetes entirety epitome heredity hierarchy hyperbole malleable permeable ukulele',
  ],
  [5, 'extraordinary hereditary'],
];

export const SYLLABLE_EXCEPTIONS: ReadonlyMap<string, number> = new Map(
  BY_COUNT.flatMap(([count, words]) => words.split(' ').map((word) => [word, count] as const)),
);
