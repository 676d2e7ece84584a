import { openStore } from "../../node/openStore.js"
import { type ChainCheck, checkChain } from "./checkChain.js"

/** Opens the store in a directory for reading, checks all of it, and closes it. Throws `store.*` and `node.damaged`. */
export async function checkStore(dir: string, check: ChainCheck): Promise<void> {
  const store = openStore(dir, { readOnly: true })
  try {
    await checkChain(store, check)
  } finally {
    await store.close()
  }
}
