import { MemoryStore } from "./memoryStore.js"
import { storeContract } from "./store.contract.js"

storeContract("memory", (tables) => new MemoryStore(tables))
