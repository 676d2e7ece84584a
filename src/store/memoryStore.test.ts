import { loadContract } from "./load.contract.js"
import { MemoryStore } from "./memoryStore.js"
import { storeContract } from "./store.contract.js"
import type { StoreTables } from "./store.js"

const open = (tables?: StoreTables) => new MemoryStore(tables)
storeContract("memory", open)
loadContract("memory", open)
