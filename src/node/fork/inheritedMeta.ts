import type { Meta } from "../../store/meta.js"
import type { Store } from "../../store/store.js"

const INHERITED: readonly (keyof Meta)[] = [
  "networkID",
  "genesis",
  "genesisID",
  "genesisFacts",
  "provenGenesis",
  "unprovenGenesis",
  "rules",
  "upgrades",
  "readModel",
]

/** The small values that a fork has from the chain below it. */
export function inheritedMeta(store: Store): Partial<Meta> {
  return Object.fromEntries(INHERITED.map((name) => [name, store.getMeta(name)]))
}
