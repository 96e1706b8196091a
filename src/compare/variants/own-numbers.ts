/** Numbers objects in the order they are first seen, so that one can stand in a key. */
export function ownNumbers(): (one: object) => number {
  const known = new Map<object, number>();
  return (one) => {
    let number = known.get(one);
    if (number === undefined) known.set(one, (number = known.size));
    return number;
  };
}
