import type { Spelling } from "../../core/codec/schema.js"
import type { Context, NodePort } from "../context.js"

/** How many texts of a kind are remembered for sure; twice as many at most. */
const MAX_RECENT = 4096

/** Texts by value, those asked for lately. Assets, chains, nodes and owners recur; transactions pass through. */
export class RecentTexts {
  readonly #max: number
  #recent = new Map<string, string>()
  #older = new Map<string, string>()

  constructor(max: number) {
    this.#max = max
  }

  recall(value: string, spell: () => string): string {
    const recent = this.#recent.get(value)
    if (recent !== undefined) return recent
    const text = this.#older.get(value) ?? spell()
    if (this.#recent.size >= this.#max) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(value, text)
    return text
  }
}

const spellings = new WeakMap<NodePort, Spelling>()

/** How a node spells IDs and addresses, with those that recur remembered. */
export function spellingOf({ node }: Context): Spelling {
  const known = spellings.get(node)
  if (known) return known
  const kinds = new Map<string, RecentTexts>()
  const spelling: Spelling = {
    hrp: node.hrp,
    recall(kind, value, spell) {
      let texts = kinds.get(kind)
      if (!texts) {
        texts = new RecentTexts(MAX_RECENT)
        kinds.set(kind, texts)
      }
      return texts.recall(value, spell)
    },
  }
  spellings.set(node, spelling)
  return spelling
}
