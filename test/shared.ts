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

/** Files that were read, by their names. */
const files = new Map<string, Json>()

/** Returns the value of a JSON file in `../shared`, with exact integers. All test files of a worker share it and only read it. */
export function readShared<T = Json>(name: string): T {
  const value = files.get(name) ?? parseJson(readFileSync(sharedPath(name), "utf8"))
  files.set(name, value)
  return value as T
}
