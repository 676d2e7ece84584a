/** A keyboard as a graph: a character → its neighbours by direction; each neighbour is its key's characters, plain then shifted. */
export interface Keyboard {
  readonly neighbours: ReadonlyMap<string, readonly string[]>
  /** Number of characters from which a pattern may start. */
  readonly starts: number
  /** The mean length of the texts of neighbours, in which missing ones count as empty. The reference uses it as the degree. */
  readonly degree: number
}

type Step = readonly [dx: number, dy: number]

/** Rows that are half a key to the right of the row above: six neighbours, from the left clockwise. */
const slanted: readonly Step[] = [
  [-1, 0],
  [0, -1],
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
]

/** Rows that are below each other: eight neighbours, from the left clockwise. */
const aligned: readonly Step[] = [
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
]

/** Keys by row, separated by a space; a dot in the middle (`·`) is a place without key. */
const qwertyRows = [
  "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) -_ =+",
  "· qQ wW eE rR tT yY uU iI oO pP [{ ]} \\|",
  "· aA sS dD fF gG hH jJ kK lL ;: '\"",
  "· zZ xX cC vV bB nN mM ,< .> /?",
]
const dvorakRows = [
  "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) [{ ]}",
  "· '\" ,< .> pP yY fF gG cC rR lL /? =+ \\|",
  "· aA oO eE uU iI dD hH tT nN sS -_",
  "· ;: qQ jJ kK xX bB mM wW vV zZ",
]
const keypadRows = ["· / * -", "7 8 9 +", "4 5 6", "1 2 3", "· 0 ."]
const macKeypadRows = ["· = / *", "7 8 9 -", "4 5 6 +", "1 2 3", "· 0 ."]

function neighboursOf(rows: readonly string[], steps: readonly Step[]): ReadonlyMap<string, readonly string[]> {
  const grid = rows.map((row) => row.split(" ").map((key) => (key === "·" ? "" : key)))
  const out = new Map<string, readonly string[]>()
  for (const [y, row] of grid.entries()) {
    for (const [x, key] of row.entries()) {
      const around = steps.map(([dx, dy]) => grid[y + dy]?.[x + dx] ?? "")
      for (const character of key) out.set(character, around)
    }
  }
  return out
}

function degreeOf(neighbours: ReadonlyMap<string, readonly string[]>): number {
  const all = [...neighbours.values()].flat()
  return all.join("").length / all.length
}

/** The four keyboards; the reference counts Dvorak with QWERTY's numbers and the Mac's keypad with the other keypad's. */
export function makeKeyboards(): readonly Keyboard[] {
  const numbersOf = (neighbours: ReadonlyMap<string, readonly string[]>) => ({
    starts: neighbours.size,
    degree: degreeOf(neighbours),
  })
  const qwerty = neighboursOf(qwertyRows, slanted)
  const keypad = neighboursOf(keypadRows, aligned)
  return [
    { neighbours: qwerty, ...numbersOf(qwerty) },
    { neighbours: neighboursOf(dvorakRows, slanted), ...numbersOf(qwerty) },
    { neighbours: keypad, ...numbersOf(keypad) },
    { neighbours: neighboursOf(macKeypadRows, aligned), ...numbersOf(keypad) },
  ]
}
