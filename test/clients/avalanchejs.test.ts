import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { info, pvm } from "@avalabs/avalanchejs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseJson } from "../../src/lib/json.js"
import { run as serac } from "../terminal.js"
import { calls } from "./avalanchejs/calls.js"
import { steps } from "./avalanchejs/transactions.js"
import { openWorld, type World } from "./avalanchejs/world.js"
import { outputOf, programAt } from "./program.js"

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

describe("avalanchejs builds, signs, issues and awaits", () => {
  for (const { builder, title, run } of steps) test(`${builder}: ${title}`, () => run(world))

  test("every kind of transaction that it has a builder for", () => {
    const builders = Object.keys(pvm).filter((name) => /^new\w+Tx$/.test(name))
    expect([...new Set<string>(steps.map(({ builder }) => builder))].sort()).toEqual(builders.sort())
  })
})

describe("avalanchejs asks", () => {
  for (const { api, method, title, run } of calls) test(`${api}.${method}: ${title}`, () => run(world))

  test("every method that its two clients have", () => {
    const asked = (api: string) => calls.filter((call) => call.api === api).map(({ method }) => method)
    expect(asked("PVMApi").sort()).toEqual(methodsOf(new pvm.PVMApi(world.devnet.url)))
    expect(asked("InfoApi").sort()).toEqual(methodsOf(new info.InfoApi(world.devnet.url)))
  })
})

const goverify = programAt("SERAC_GOVERIFY")

describe("the chain that avalanchejs made", () => {
  test.runIf(goverify)("is accepted by AvalancheGo's own VM, block by block, and ends in the same state", async () => {
    const { devnet, dataDir, made } = world
    const atomic = join(dataDir, "atomic.txt")
    writeFileSync(atomic, ["X", "C"].map((chain) => `${made.id(`credit from ${chain}`)} ${chain}\n`).join(""))
    const { height } = await world.dev("platform.getHeight")
    const said = await outputOf(goverify as string, ["-q", "-atomic", atomic, "-url", devnet.url])
    expect(said).toContain(`${height} blocks accepted`)
    await devnet.stop()
    const state = await serac(["state", "--data-dir", dataDir, "--json"])
    const digest = said.split("\n").find((line) => line.startsWith("digest ")) as string
    expect(parseJson(digest.slice("digest ".length))).toEqual((parseJson(state.stdout) as Record<string, unknown>).digest)
  })
})

/** The names of what can be called on an object, its own and inherited ones, but for what sets options or is the library's own. */
function methodsOf(api: object): string[] {
  const names = new Set<string>()
  for (let each = api; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) {
      if (typeof (api as Record<string, unknown>)[name] === "function") names.add(name)
    }
  }
  const own = ["constructor", "setFetchOptions", "callRpc", "getMethodName"]
  return [...names].filter((name) => !own.includes(name)).sort()
}
