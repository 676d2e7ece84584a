// Writes the address of each module that a process loads to the file LOADED_MODULES: `node --import test/cli/loadedModules.mjs PROGRAM`.
import { register } from "node:module"

const hooks = `
import { appendFileSync } from "node:fs"
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED_MODULES, url + "\\n")
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
