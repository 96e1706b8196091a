/** The same numbers for the same name on every machine: a linear congruence on 31 bits, seeded by the name's letters. */
export function steadyRandom(name: string): () => number {
  let state = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % MODULUS, 7);
  const next = (): number => {
    state = (state * 48_271) % MODULUS;
    return state / MODULUS;
  };
  // Names that differ in their last letter begin close together; three steps take them apart.
  for (let step = 0; step < 3; step += 1) next();
  return next;
}

const MODULUS = 2 ** 31 - 1;
