import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Json } from "../src/core/lib/json.js"
import { parseJson } from "../src/core/lib/parseJson.js"

const root = fileURLToPath(new URL("../../shared/", import.meta.url))

/** The path of a file among the facts beside the project; a clone of the project alone has none. */
export const sharedPath = (name: string): string => root + name

/** True if `../shared/<name>` is present; warns once if it is not. */
export function hasShared(name: string): boolean {
  if (existsSync(sharedPath(name))) return true
  console.warn(`skipped: ../shared/${name} is not here (recorded facts are not part of the project)`)
  return false
}

/** A JSON file of the facts, integers kept exact. */
export function readShared<T = Json>(name: string): T {
  return parseJson(readFileSync(sharedPath(name), "utf8")) as T
}
