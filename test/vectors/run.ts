import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { type Json, parseJson } from "../../src/lib/json.js"
import { type Entry, type Group, Verdict } from "./group.js"
import { groups } from "./groups/index.js"

/** What became of one vector file. */
export interface FileResult {
  readonly file: string
  readonly passed: number
  readonly failures: readonly string[]
  readonly skipped: readonly string[]
}

/** The vector files that these paths name: files as they are, folders by their `.json` files. */
export function vectorFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!existsSync(path)) throw new Error(`${path}: no such file or folder`)
    if (!statSync(path).isDirectory()) return [path]
    const files = readdirSync(path).filter((name) => name.endsWith(".json"))
    return files.sort().map((name) => join(path, name))
  })
}

/** Runs every entry of a vector file against the code. An unknown group, or a file without entries, is a failure. */
export function runFile(path: string): FileResult {
  const file = basename(path)
  const failures: string[] = []
  const skipped: string[] = []
  let passed = 0
  let entries: readonly Entry[]
  try {
    entries = entriesOf(parseJson(readFileSync(path, "utf8")))
  } catch (error) {
    return { file, passed, failures: [`${file}: ${(error as Error).message}`], skipped }
  }
  if (entries.length === 0) failures.push(`${file}: no entries`)
  const group: Group | undefined = groups[file]
  for (const entry of entries) {
    const name = `${file} [${entry.kind}] ${entry.name ?? ""}`
    const check = group?.[entry.kind]
    if (!check) {
      failures.push(`${name}: unknown group`)
      continue
    }
    const verdict = new Verdict()
    try {
      const reason = check(entry, verdict)
      if (typeof reason === "string") {
        skipped.push(`${name}: ${reason}`)
        continue
      }
    } catch (error) {
      verdict.failures.push(error instanceof Error ? `${error.name}: ${describe(error)}` : String(error))
    }
    if (verdict.failures.length === 0) passed++
    for (const failure of verdict.failures) failures.push(`${name}: ${failure}`)
  }
  return { file, passed, failures, skipped }
}

function describe(error: Error): string {
  return "code" in error ? `${error.code} (${error.message})` : (error.stack ?? error.message)
}

function entriesOf(document: Json): readonly Entry[] {
  if (document === null || typeof document !== "object") return []
  const { vectors, cases } = document as { vectors?: readonly Entry[]; cases?: readonly Entry[] }
  return [...(vectors ?? []), ...(cases ?? [])]
}
