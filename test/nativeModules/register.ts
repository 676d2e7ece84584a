import { register } from "node:module"
import { compiledFolder, root, sourcePlaces } from "./sourcePlaces.js"

// Every test file runs this first. Node itself then imports the modules that vitest.config.ts leaves to it, which spares the module runner
// of vite: it fetches each module from another process, and calls each imported function by way of a getter.

const ADDED = Symbol.for("serac.nativeModules")
const worker = globalThis as { [ADDED]?: true }

// Files of one worker share its modules.
if (!worker[ADDED]) {
  worker[ADDED] = true
  register("./hooks.mjs", import.meta.url, { data: { root, compiled: compiledFolder } })
  const byVite = Error.prepareStackTrace as (error: Error, frames: NodeJS.CallSite[]) => string
  Error.prepareStackTrace = (error, frames) => sourcePlaces(byVite(error, frames))
}
