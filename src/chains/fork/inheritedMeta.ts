import type { Meta } from "../../store/meta.js"
import type { Store } from "../../store/store.js"

const INHERITED: readonly (keyof Meta)[] = [
  "networkID",
  "identity",
  "genesis",
  "genesisID",
  "genesisFacts",
  "provenGenesis",
  "unprovenGenesis",
  "rules",
  "upgrades",
  "readModel",
]

/** Returns the meta values that a fork inherits from the chain below it. */
export function inheritedMeta(store: Store): Partial<Meta> {
  return Object.fromEntries(INHERITED.map((name) => [name, store.getMeta(name)]))
}
