/** Characters that replace a letter. */
const table: Readonly<Record<string, string>> = {
  a: "4@",
  b: "8",
  c: "({[<",
  e: "3",
  g: "69",
  i: "1!|",
  l: "1|7",
  o: "0",
  s: "$5",
  t: "+7",
  x: "%",
  z: "2",
}

type Substitution = readonly [sign: string, letter: string]

/**
 * Returns the words that a password becomes if its signs are replaced by letters that they look like, as AvalancheGo's library does it:
 * within one word a sign replaces one letter, and a letter is written with one sign. A password without such signs has no such words.
 */
export function leetReadings(password: readonly string[]): string[][] {
  const readings = new Map<string, string[]>()
  for (const meanings of combinations(groups(substitutionsIn(password), ([sign]) => sign))) {
    for (const choice of combinations(groups(meanings, ([, letter]) => letter))) {
      const letters = new Map(choice)
      const reading = password.map((rune) => letters.get(rune) ?? rune)
      if (choice.length > 0) readings.set(reading.join(""), reading)
    }
  }
  return [...readings.values()]
}

/** Returns the letters that the signs of a password may replace. */
function substitutionsIn(password: readonly string[]): Substitution[] {
  const all = Object.entries(table).flatMap(([letter, signs]) => [...signs].map((sign): Substitution => [sign, letter]))
  return all.filter(([sign]) => password.includes(sign))
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  return [...new Set(items.map(keyOf))].map((key) => items.filter((item) => keyOf(item) === key))
}

/** Returns every way to choose one item of each list. */
function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((chosen, list) => chosen.flatMap((each) => list.map((item) => [...each, item])), [[]])
}
