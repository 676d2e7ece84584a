import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliDecompressSync } from "node:zlib"
import type { Json } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"

const root = projectFolder()

/** The project's folder. This file is also bundled for `npm run vectors`, into a folder of dist/. */
function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "test/recordings/golden.br")) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}

/** The texts of a packed folder (`golden`, `vectors` or `data`), by their paths below it. */
type Texts = Readonly<Record<string, string>>

const packs = new Map<string, Texts>()
const values = new Map<string, Json>()

/** Unpacks a folder of recordings, once for all test files of a process. */
function unpacked(folder: string): Texts {
  const packed = () => readFileSync(join(root, "test/recordings", `${folder}.br`))
  const texts = packs.get(folder) ?? (JSON.parse(brotliDecompressSync(packed()).toString("utf8")) as Texts)
  packs.set(folder, texts)
  return texts
}

/** Returns the text of a recording, such as `golden/history-v1.14.2/genesis.json`; `undefined` if there is none of this name. */
export function findRecording(name: string): string | undefined {
  const end = name.indexOf("/")
  return unpacked(name.slice(0, end))[name.slice(end + 1)]
}

/** Returns the text of a recording that exists. */
export function recordingText(name: string): string {
  const text = findRecording(name)
  if (text === undefined) throw new Error(`there is no recording ${name}`)
  return text
}

/** Returns the value of a recording, with exact integers. All test files of a process share it and only read it. */
export function readRecording<T = Json>(name: string): T {
  const value = values.get(name) ?? parseJson(recordingText(name))
  values.set(name, value)
  return value as T
}

/** Returns the names of the recordings in a folder and below, such as `vectors` or `golden/l1-v1.15.0`. */
export function recordingNames(folder: string): readonly string[] {
  const top = folder.split("/")[0] as string
  const names = Object.keys(unpacked(top)).map((path) => `${top}/${path}`)
  return names.filter((name) => name.startsWith(`${folder}/`))
}

/** Returns the path of a file with this recording, for programs that read files. It is written once, below node_modules/.cache. */
export function recordingPath(name: string): string {
  const text = recordingText(name)
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16)
  const path = join(root, "node_modules/.cache/serac/recordings", hash, name)
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    // Another process may write the same file at the same time.
    const part = `${path}.${process.pid}`
    writeFileSync(part, text)
    renameSync(part, path)
  }
  return path
}
