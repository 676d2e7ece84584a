import { join } from "node:path"
import { loadContract } from "../load.contract.js"
import { storeContract } from "../store.contract.js"
import { temporaryDirectory } from "../store.fixture.js"
import type { StoreTables } from "../store.js"
import { openLmdbStore } from "./openLmdbStore.js"

const open = (tables?: StoreTables) => openLmdbStore({ dir: join(temporaryDirectory(), "a.store"), ...tables })
storeContract("lmdb", open)
loadContract("lmdb", open)
