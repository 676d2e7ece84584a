import { execFileSync } from "node:child_process"
import { afterEach, expect, test } from "vitest"
import { bundle } from "../../test/child.js"
import { bls, blsBackends, chooseBackends, loadSecp256k1, secp256k1, secp256k1Backends } from "./backends.js"

afterEach(async () => {
  chooseBackends({})
  await loadSecp256k1()
})

test("nothing is loaded before it is needed", () => {
  const output = execFileSync(process.execPath, [bundle("src/platform/loadedBackends.fixture.ts")], { encoding: "utf8" })
  expect(JSON.parse(output)).toEqual({ atStart: [], whenChosen: [], whenUsed: ["@noble/curves"] })
})

test("a back end is loaded once", () => {
  expect(secp256k1()).toBe(secp256k1())
  expect(bls()).toBe(bls())
})

test.each(["wasm", "noble"] as const)("secp256k1 by %s can be asked for", async (name) => {
  chooseBackends({ secp256k1: name })
  await loadSecp256k1()
  expect(secp256k1().name).toBe(name)
})

test("before secp256k1 is loaded, plain JavaScript answers", async () => {
  const secret = new Uint8Array(32).fill(7)
  chooseBackends({})
  const [name, key] = [secp256k1().name, secp256k1().publicKey(secret)]
  await loadSecp256k1()
  expect([name, secp256k1().name]).toEqual(["noble", "wasm"])
  expect(secp256k1().publicKey(secret)).toEqual(key)
})

test("a back end that is chosen while another is loaded stays", async () => {
  chooseBackends({ secp256k1: "wasm" })
  const loading = loadSecp256k1()
  chooseBackends({ secp256k1: "noble" })
  await loading
  expect(secp256k1().name).toBe("noble")
})

test.each(["native", "noble"] as const)("BLS by %s can be asked for", (name) => {
  chooseBackends({ bls: name })
  expect(bls().name).toBe(name)
})

test("without a choice the first that loads is taken", async () => {
  chooseBackends({})
  await loadSecp256k1()
  expect([Object.keys(secp256k1Backends), secp256k1().name]).toEqual([["wasm", "noble"], "wasm"])
  expect([Object.keys(blsBackends), bls().name]).toEqual([["native", "noble"], "native"])
})

test("a back end that does not exist is refused by name", () => {
  // @ts-expect-error There is no such back end.
  expect(() => chooseBackends({ secp256k1: "abacus" })).toThrow('there is no back end "abacus", only wasm and noble')
})
