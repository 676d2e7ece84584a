import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { type Check, type Entry, Verdict } from "./group.js"
import { groups } from "./groups/index.js"
import { checkParse, readers } from "./parse/index.js"

/** The result of one vector file. */
export interface FileResult {
  readonly file: string
  readonly passed: number
  /** Number of entries that fail; each may have several differences. */
  readonly failed: number
  readonly failures: readonly string[]
  readonly skipped: readonly string[]
}

/** The vector files that these paths name: files as they are, folders by the `.json` files in them and below. */
export function vectorFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!existsSync(path)) throw new Error(`${path}: no such file or folder`)
    if (!statSync(path).isDirectory()) return [path]
    const files = (readdirSync(path, { recursive: true }) as string[]).filter((name) => name.endsWith(".json"))
    if (files.length === 0) throw new Error(`${path}: no vector files (*.json) in this folder`)
    return files.sort().map((name) => join(path, name))
  })
}

/** Called with each entry before it is checked; returns the entry that the check gets, such as one that notes which fields are read. */
export type Wrap = (entry: Entry, form: VectorFile["form"]) => Entry

/** Runs every entry of a vector file against the code. An unknown group, or a file without entries, is a failure. */
export function runFile(path: string, wrap: Wrap = (entry) => entry): FileResult {
  const file = basename(path)
  const failures: string[] = []
  const skipped: string[] = []
  let passed = 0
  let failed = 0
  let document: VectorFile
  try {
    document = readVectorFile(path)
  } catch (error) {
    return { file, passed, failed: 1, failures: [`${file}: ${(error as Error).message}`], skipped }
  }
  for (const entry of document.entries) {
    const check = document.form === "bytes" ? checkParse : checkOf(file, entry.kind)
    const name = `${file} [${entry.kind}] ${entry.name ?? entry.id ?? shortened(entry.bytes)}`
    const outcome = check ? runEntry(wrap(entry, document.form), check) : { failures: ["unknown group"] }
    if (outcome.skipped !== undefined) skipped.push(`${name}: ${outcome.skipped}`)
    else if (outcome.failures.length === 0) passed++
    else failed++
    for (const failure of outcome.failures) failures.push(`${name}: ${failure}`)
  }
  return { file, passed, failed, failures, skipped }
}

/** The result of one entry: it passes, it fails, or the check reports that it cannot be checked here. */
interface Outcome {
  readonly failures: readonly string[]
  readonly skipped?: string
}

function runEntry(entry: Entry, check: Check): Outcome {
  const verdict = new Verdict()
  try {
    const reason = check(entry, verdict)
    if (typeof reason === "string") return { failures: [], skipped: reason }
  } catch (error) {
    verdict.failures.push(error instanceof Error ? `${error.name}: ${describe(error)}` : String(error))
  }
  return { failures: verdict.failures }
}

/** The check of a group: of a file's name and an entry's `kind`. */
export function checkOf(file: string, kind: string): Check | undefined {
  const group = Object.hasOwn(groups, file) ? groups[file] : undefined
  return group && Object.hasOwn(group, kind) ? group[kind] : undefined
}

/** The beginning of bytes in hex, which names an entry that has no name. */
const shortened = (bytes: unknown): string => (typeof bytes === "string" ? bytes.slice(0, 64) : "")

/**
 * A vector file as read: wire files hold `vectors`, rule files hold `cases`. A file of bytes holds `vectors` of one kind, with what AvalancheGo
 * reads from each.
 */
export interface VectorFile {
  readonly form: "vectors" | "cases" | "bytes"
  readonly entries: readonly Entry[]
}

/** Reads a vector file; one without entries is refused. */
export function readVectorFile(path: string): VectorFile {
  const document = parseJson(readFileSync(path, "utf8")) as Record<string, unknown> | null
  const form = Array.isArray(document?.cases) ? "cases" : "vectors"
  const entries = document?.[form]
  if (!Array.isArray(entries) || entries.length === 0) throw new Error("no entries")
  const kind = String(document?.kind)
  if (Object.hasOwn(readers, kind)) return { form: "bytes", entries: entries.map((entry) => ({ ...entry, kind })) }
  return { form, entries }
}

function describe(error: Error): string {
  return "code" in error ? `${error.code} (${error.message})` : (error.stack ?? error.message)
}
