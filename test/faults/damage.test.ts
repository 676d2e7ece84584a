import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { run } from "../child.js"
import { buildSerac } from "../cli/serac.js"
import { isSoak, Random, seed } from "../fuzz/random.js"
import { run as runHere } from "../terminal.js"

/** Runs every command on every kind of damaged file: no command may end by a signal, or answer with anything but a refusal with a code. */
const folder = mkdtempSync(join(tmpdir(), "serac-damage-"))
let built: ReturnType<typeof buildSerac>
let good: string
let bytes: Buffer
/** The number of the root page, which every reader reads. */
let root: number

beforeAll(async () => {
  built = buildSerac()
  good = join(folder, "good")
  const devnet = await startDevnet({ port: false, dataDir: good })
  await devnet.dev.mine({ blocks: 20, filler: true })
  await devnet.stop()
  const path = join(good, "chain", "data.mdb")
  bytes = readFileSync(path)
  // The newer of the two meta pages has the larger number of a commit, and names the root.
  const [newest = 0] = [0, 4096].sort((a, b) => Number(bytes.readBigUInt64LE(b + 152) - bytes.readBigUInt64LE(a + 152)))
  root = Number(bytes.readBigUInt64LE(newest + 136))
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

type Damage = (path: string) => void

/** A data directory with the good file, changed. */
function damaged(change: Damage): string {
  const dataDir = mkdtempSync(join(folder, "chain-"))
  mkdirSync(join(dataDir, "chain"))
  const path = join(dataDir, "chain", "data.mdb")
  copyFileSync(join(good, "chain", "data.mdb"), path)
  change(path)
  return dataDir
}

function overwrite(path: string, damage: Uint8Array, at: number): void {
  const file = openSync(path, "r+")
  writeSync(file, damage, 0, damage.length, at)
  closeSync(file)
}

const cut =
  (size: () => number): Damage =>
  (path) =>
    truncateSync(path, size())
const page =
  (number: () => number, damage: Uint8Array): Damage =>
  (path) =>
    overwrite(path, damage, number() * 4096)
const noise = new Random(seed("noise in a page")).bytes(4096)

const COMMANDS: Readonly<Record<string, (dataDir: string) => readonly string[]>> = {
  node: (dataDir) => ["--data-dir", dataDir, "--http-port", "0"],
  serve: (dataDir) => ["serve", "--data-dir", dataDir, "--http-port", "0"],
  "serve --public": (dataDir) => ["serve", "--public", "--data-dir", dataDir, "--http-port", "0"],
  state: (dataDir) => ["state", "--data-dir", dataDir],
  "state --check": (dataDir) => ["state", "--data-dir", dataDir, "--check"],
  backup: (dataDir) => ["backup", `${dataDir}-copy`, "--data-dir", dataDir],
  repair: (dataDir) => ["repair", "--data-dir", dataDir],
}

/** The outcome of a command on a directory: its exit code, and the code of its refusal. */
async function verdictOf(words: readonly string[]): Promise<string> {
  const { code, stderr } = await runHere(words)
  return `exit ${code} ${refusalIn(stderr)}`
}

/** Does the same in a separate process, which a signal may end. */
async function processVerdictOf(words: readonly string[]): Promise<string> {
  const lines = await run("sh", ["-c", '"$0" "$@" 2>&1; echo "exit $?"', process.execPath, built.bin, ...words]).rest()
  return `${lines.at(-1)} ${refusalIn(lines.join("\n"))}`
}

const refusalIn = (text: string) => /^serac: ([\w.]+): /m.exec(text)?.[1]

async function verdictsOn(dataDir: string, verdict: typeof verdictOf): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const [name, words] of Object.entries(COMMANDS)) found[name] = await verdict(words(dataDir))
  return found
}

const all = (verdict: string) => Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, verdict]))

describe("each command refuses a damaged data file and names it", () => {
  test.each<[string, Damage, string]>([
    ["cut to nothing", cut(() => 0), "store.damaged"],
    ["cut to 1 byte", cut(() => 1), "store.damaged"],
    ["cut to 31 bytes", cut(() => 31), "store.damaged"],
    ["cut to 32 bytes", cut(() => 32), "store.damaged"],
    ["cut to 4096 bytes", cut(() => 4096), "store.damaged"],
    ["cut to 8191 bytes", cut(() => 8191), "store.damaged"],
    ["cut to 8192 bytes", cut(() => 8192), "store.damaged"],
    ["cut to 12288 bytes", cut(() => 12_288), "store.damaged"],
    ["cut to its half", cut(() => bytes.length / 2), "store.damaged"],
    ["whose first meta page is zeroes", page(() => 0, new Uint8Array(4096)), "store.damaged"],
    ["whose second meta page is noise", page(() => 1, noise), "store.damaged"],
    ["whose list of tables is zeroes", page(() => root, new Uint8Array(4096)), "store.damaged"],
    ["whose list of tables is noise", page(() => root, noise), "store.damaged"],
    ["that is something else", (path) => writeFileSync(path, Buffer.alloc(100_000, 7)), "store.damaged"],
  ])("%s", async (_, damage, code) => {
    expect(await verdictsOn(damaged(damage), isSoak ? processVerdictOf : verdictOf)).toEqual(all(`exit 1 ${code}`))
  })

  test("in a separate process, which does not end with a signal", async () => {
    const dataDir = damaged(cut(() => bytes.length / 2))
    // A writer, a reader, and a command that only copies; in soak the tests above run every command in a process.
    for (const name of ["node", "serve --public", "backup"]) {
      const words = COMMANDS[name] as (typeof COMMANDS)[string]
      expect([name, await processVerdictOf(words(dataDir))]).toEqual([name, "exit 1 store.damaged"])
    }
  })
})

const PAGES = isSoak ? 60 : 3

test(`${PAGES} pages of noise, zeroes or one other bit: commands that read all refuse the file, or find what was there`, async () => {
  const random = new Random(seed("damaged pages under commands"))
  const pages = bytes.length / 4096
  const hash = /^hash (\w+)$/m
  const wanted = hash.exec(await outputOf(["state", "--data-dir", good]))?.[1]
  for (let i = 0; i < PAGES; i++) {
    const at = (2 + random.below(pages - 2)) * 4096
    const bit = Buffer.of((bytes[at + 100] as number) ^ (1 << random.below(8)))
    const damage = random.pick([
      { at, bytes: new Uint8Array(4096) },
      { at, bytes: random.bytes(4096) },
      { at: at + 100, bytes: bit },
    ])
    const dataDir = damaged((path) => overwrite(path, damage.bytes, damage.at))
    const output = await outputOf(["state", "--data-dir", dataDir, "--check"])
    const found = hash.exec(output)?.[1] ?? refusalIn(output)
    expect([wanted, "store.damaged", "node.damaged"], `${damage.bytes.length} bytes at ${damage.at}: ${output}`).toContain(found)
  }
})

async function outputOf(words: readonly string[]): Promise<string> {
  return (await run("sh", ["-c", '"$0" "$@" 2>&1', process.execPath, built.bin, ...words]).rest()).join("\n")
}
