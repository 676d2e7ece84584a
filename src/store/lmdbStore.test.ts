import { join } from "node:path"
import { openLmdbStore } from "./openLmdbStore.js"
import { storeContract, temporaryDirectory } from "./store.contract.js"

storeContract("lmdb", (tables) => openLmdbStore({ dir: join(temporaryDirectory(), "a.store"), ...tables }))
