import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { inner, map, type Room } from "./map.js"
import { isTest, root, type Source, sources, targetOf } from "./sources.js"

const files = sources()
const inRooms = files.filter(({ path }) => path.includes("/"))
/** Below src/, the pure rooms lie in core/: `core/state/diff.ts` is in the room `state`, `store/undo.ts` in `store`. */
const roomOf = (path: string) => path.replace(/^core\//, "").split("/")[0] as string

/** The arrows of a file that its room does not allow, as `state/diff.ts -> jsonrpc`. */
function forbidden({ path, imports }: Pick<Source, "path" | "imports">): string[] {
  const room = map[roomOf(path)]
  if (!room) return [`${path} is in no room of the map`]
  return imports.flatMap(({ name }) => (isAllowed(path, name, room) ? [] : [`${path} -> ${nameOf(path, name)}`]))
}

function isAllowed(path: string, name: string, room: Room): boolean {
  if (!name.startsWith(".")) return isAllowedPackage(path, name, room)
  const target = targetOf(path, name)
  if (target.startsWith("../test/")) return isTest(path)
  if (target === "../package.json") return true
  // Tests pass the back ends in, and start private chains.
  if (["platform", "evm", "devnet"].includes(roomOf(target)) && isTest(path)) return true
  return roomOf(target) === roomOf(path) || room.imports.includes(roomOf(target))
}

function isAllowedPackage(path: string, name: string, room: Room): boolean {
  if (name.startsWith("node:")) return true
  return (isTest(path) && name === "vitest") || (room.packages ?? []).some((each) => name === each || name.startsWith(`${each}/`))
}

const nameOf = (path: string, name: string) => (name.startsWith(".") ? roomOf(targetOf(path, name)) : name)

test("every import follows an arrow of the map", () => {
  expect(inRooms.flatMap(forbidden)).toEqual([])
})

test("the page imports nothing but types from the other rooms", () => {
  const pageFiles = inRooms.filter(({ path }) => roomOf(path) === "page" && !isTest(path))
  const values = pageFiles.flatMap(({ path, imports }) =>
    imports
      .filter(({ name, isType }) => name.startsWith(".") && !isType && roomOf(targetOf(path, name)) !== "page")
      .map(({ name }) => `${path} -> ${nameOf(path, name)}`),
  )
  expect(values).toEqual([])
})

/** The arrows and packages of the map that no file needs, as `chain -> genesis`. */
function unused(of: Readonly<Record<string, Room>>): string[] {
  const needed = new Set(
    inRooms.flatMap(({ path, imports }) => imports.map(({ name }) => `${roomOf(path)} -> ${nameOf(path, name)}`)),
  )
  const isNeeded = (room: string, target: string) =>
    [...needed].some((each) => each === `${room} -> ${target}` || each.startsWith(`${room} -> ${target}/`))
  return Object.entries(of).flatMap(([room, { imports, packages = [] }]) =>
    [...imports, ...packages].filter((target) => !isNeeded(room, target)).map((target) => `${room} -> ${target}`),
  )
}

test("every arrow of the map is needed", () => {
  expect(unused(map)).toEqual([])
  expect(unused({ lib: { imports: ["state"], packages: ["lmdb"], isPure: true } })).toEqual(["lib -> state", "lib -> lmdb"])
})

/** The arrows inside a room that point to a later part of it, as `producer/clock/clock.ts -> chain`. */
function backwards({ path, imports }: Pick<Source, "path" | "imports">): string[] {
  const parts = Object.keys(inner[roomOf(path)] ?? {})
  if (parts.length === 0 || isTest(path)) return []
  const own = parts.indexOf(partOf(path))
  if (own < 0) return [`${path} is in no part of its room`]
  const targets = imports.filter(({ name }) => name.startsWith(".")).map(({ name }) => targetOf(path, name))
  const later = targets.filter((target) => roomOf(target) === roomOf(path) && parts.indexOf(partOf(target)) > own)
  return later.map((target) => `${path} -> ${partOf(target)}`)
}

/** The folder or file of a room: `clock` for `producer/clock/clock.ts`, `errors` for `producer/errors.ts`. */
const partOf = (path: string) => (path.replace(/^core\//, "").split("/")[1] as string).replace(/\.ts$/, "")

test("the parts of a room import only from those before them", () => {
  expect(inRooms.flatMap(backwards)).toEqual([])
  const bad = (path: string, name: string) => backwards({ path, imports: [{ name, isType: true, isLater: false }] })
  expect(bad("producer/clock/clock.ts", "../chain/chainHead.js")).toEqual(["producer/clock/clock.ts -> chain"])
  expect(bad("producer/attic/old.ts", "../errors.js")).toEqual(["producer/attic/old.ts is in no part of its room"])
})

test("a room is in core/ if and only if the map lists it as pure", () => {
  const rooms = new Map(inRooms.map(({ path }) => [roomOf(path), isPure(path)]))
  expect(Object.fromEntries(rooms)).toEqual(Object.fromEntries(Object.entries(map).map(([room, { isPure }]) => [room, isPure])))
})

test("an import that is not on the map is found", () => {
  const bad = (path: string, name: string) => forbidden({ path, imports: [{ name, isType: false, isLater: false }] })
  expect(bad("core/state/diff.ts", "../../jsonrpc/call/dispatch.js")).toEqual(["core/state/diff.ts -> jsonrpc"])
  expect(bad("core/chain/head.ts", "lmdb")).toEqual(["core/chain/head.ts -> lmdb"])
  expect(bad("core/lib/bytes.ts", "../../../test/refusal.js")).toEqual(["core/lib/bytes.ts -> .."])
  expect(bad("attic/old.ts", "../core/lib/bytes.js")).toEqual(["attic/old.ts is in no room of the map"])
  expect(bad("core/state/view.contract.ts", "../../../test/refusal.js")).toEqual([])
})

test("the map has no cycle", () => {
  const rooms = Object.keys(map)
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (map[from]?.imports ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  expect(rooms.filter((room) => reaches(room, room))).toEqual([])
})

test("no file imports itself through other files, types included", () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const next = (path: string) =>
    (byPath.get(path)?.imports ?? []).filter(({ name }) => name.startsWith(".")).map(({ name }) => targetOf(path, name))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) circles.push([...way.slice(at), path].join(" -> "))
    if (at >= 0 || done.has(path)) return
    for (const target of next(path)) walk(target, [...way, path])
    done.add(path)
  }
  for (const { path } of files) walk(path, [])
  expect(circles).toEqual([])
})

/** Files of a list, one of a kind each: methods, kinds of transactions, projections. The list itself is one, too. */
const isListed = (path: string, importer: string) => [path, importer].some((each) => each.endsWith("/index.ts"))

/** Small files with one importer, which should stand in it unless it imports them later, as `cli/csv.ts <- cli/commands/export.ts`. */
function strays(of: readonly Source[]): string[] {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of of.filter(({ path }) => !isTest(path))) {
    for (const { name, isLater } of imports) {
      const target = targetOf(path, name)
      if (name.startsWith(".") && !isLater) importers.set(target, [...(importers.get(target) ?? []), path])
    }
  }
  return of.flatMap(({ path, lines }) => {
    const [importer = "", ...others] = new Set(importers.get(path))
    const isStray = lines <= 25 && importer !== "" && others.length === 0 && path.includes("/") && !isListed(path, importer)
    return isStray ? [`${path} <- ${importer}`] : []
  })
}

test("a file of 25 lines or fewer with one importer stands in it, unless it is one of a list", () => {
  expect(strays(files)).toEqual([])
  const bad = { path: "cli/csv.ts", text: "", lines: 25, imports: [] }
  const importing = { name: "./csv.js", isType: false, isLater: false }
  const importer = (path: string) => ({ path, text: "", lines: 99, imports: [importing] })
  expect(strays([bad, importer("cli/export.ts")])).toEqual(["cli/csv.ts <- cli/export.ts"])
  expect(strays([bad, importer("cli/export.ts"), importer("cli/show.ts")])).toEqual([])
  expect(strays([bad, importer("cli/index.ts")])).toEqual([])
  expect(strays([bad, { ...importer("cli/export.ts"), imports: [{ ...importing, isLater: true }] }])).toEqual([])
})

const isPure = (path: string) => path.startsWith("core/")

/** State that belongs to the process and not to a node, and why. The page is a program of its own, with one state. */
const ofTheProcess: Readonly<Record<string, string>> = {
  "platform/backends.ts": "the back ends of the process, loaded when they are first needed",
  "network/zstd.ts": "the WebAssembly of zstd, loaded once",
  "store/lmdb/lock.ts": "the directories that this process has locked",
  "store/lmdb/ownNumber.ts": "the stores that this process has open",
  "cli/untilStopped.ts": "the signal that the process has received",
}

/** Matches state of a module: a variable, an object with members that can change, or a map, set or cache that is not read-only. */
const STATE =
  /^(?:export )?(?:(?:let|var) |const \w+: \{ (?!readonly )|const \w+(?!: Readonly(?:Map|Set)<)(?::.*)? = (?:new (?:(?:Weak)?(?:Map|Set)|\w*Cache|AddressSpace)\b|\w*[cC]ache\())|^ +static (?!readonly )#?\w+ = |^ +static (?:readonly )?#?\w+ = new (?:Weak)?(?:Map|Set)/m

const keepsState = ({ path, text }: Pick<Source, "path" | "text">) =>
  STATE.test(text) && !isTest(path) && !path.startsWith("page/") && !isWorkerProgram(path)

/** The programs of worker threads and processes have their state at the top level. */
const isWorkerProgram = (path: string) => path === "workers/signatureWorker.ts"

/** A member of another object that begins with an underscore, which its owner does not document. */
const INNER_MEMBER = /(?<!\bthis)\??\._[a-z]\w*/

test("no file uses a member of another object that begins with an underscore", () => {
  const lines = inRooms.flatMap(({ path, text }) => text.split("\n").map((line) => ({ path, line: line.trim() })))
  const found = lines.filter(({ line }) => !/^(\*|\/\/|\/\*)/.test(line) && INNER_MEMBER.test(line))
  expect(found).toEqual([])
  expect(INNER_MEMBER.test("response._header += text")).toBe(true)
})

test("no module keeps state: caches are constructed by their user and passed in", () => {
  const found = inRooms.filter(keepsState).map(({ path }) => path)
  expect(found.sort()).toEqual(Object.keys(ofTheProcess).sort())
})

test("every kind of state of a module is found", () => {
  const found = [
    "let count = 0",
    "export var count = 0",
    "const known = new Map<string, number>()",
    "const known: Map<string, () => void> = new Map()",
    "export const known = new WeakMap()",
    "const answers = new LruCache(64)",
    "const parse = certificateCache()",
    "class A {\n  static #known = new Map()\n}",
    "class A {\n  static count = 0\n}",
    "const used: { count: number } = { count: 0 }",
  ].filter((text) => !keepsState({ path: "services/a.ts", text }))
  expect(found).toEqual([])
  const constants = ["const KINDS: ReadonlySet<string> = new Set()", "function a() {\n  let b = 0\n  const c = new Map()\n}"]
  expect(constants.filter((text) => keepsState({ path: "services/a.ts", text }))).toEqual([])
})

test("ARCHITECTURE.md lists each folder of the map once, those of core/ with it, and says what it has and has not", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
  const rows = [...text.matchAll(/^\| `([\w/]+)\/` \| [^|]+ \| [^|]+ \|$/gm)].map(([, folder]) => folder as string)
  const folders = Object.entries(map).map(([room, { isPure }]) => (isPure ? `core/${room}` : room))
  expect(rows.sort()).toEqual(folders.sort())
})

test("ARCHITECTURE.md is a map of at most 250 lines", () => {
  const lines = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").trimEnd().split("\n")
  expect(lines.length).toBeLessThanOrEqual(250)
})

/** The rooms that have hosted chains in hand. */
const WITH_HOSTED_CHAINS = ["hosting", "relay", "vmhost", "devnet", "sources", "cli", "page", "client"]

/** A comparison that tells the C-Chain from other chains: with its ID, with that of the primary network, or with its name. */
const TELLS_C_CHAIN =
  /[!=]== (?:\w+[.?]+)*(?:cChainID|PRIMARY_NETWORK_ID)\b|\b(?:cChainID|PRIMARY_NETWORK_ID) [!=]==|\bname [!=]== "C"/

test("which hosted chain is the C-Chain is decided in hosting/cChainRecord.ts alone", () => {
  const tells = ({ path, text }: Pick<Source, "path" | "text">) =>
    WITH_HOSTED_CHAINS.includes(roomOf(path)) && !isTest(path) && TELLS_C_CHAIN.test(text)
  expect(inRooms.filter(tells).map(({ path }) => path)).toEqual(["hosting/cChainRecord.ts"])
  const texts = ["chainID === genesis.cChainID", "data?.cChainID !== chainID", "PRIMARY_NETWORK_ID === id", 'record.name === "C"']
  expect(texts.filter((text) => !tells({ path: "relay/relayer.ts", text }))).toEqual([])
})
