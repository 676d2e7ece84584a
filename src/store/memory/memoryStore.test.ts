import { loadContract } from "../load.contract.js"
import { storeContract } from "../store.contract.js"
import type { StoreTables } from "../store.js"
import { MemoryStore } from "./memoryStore.js"

const open = (tables?: StoreTables) => new MemoryStore(tables)
storeContract("memory", open)
loadContract("memory", open)
