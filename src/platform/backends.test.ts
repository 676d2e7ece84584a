import { execFileSync } from "node:child_process"
import { afterEach, expect, test } from "vitest"
import { bundle } from "../../test/child.js"
import { bls, blsBackends, chooseBackends, secp256k1, secp256k1Backends } from "./backends.js"

afterEach(() => chooseBackends({}))

test("nothing is loaded before it is needed", () => {
  const output = execFileSync(process.execPath, [bundle("src/platform/loadedBackends.fixture.ts")], { encoding: "utf8" })
  expect(JSON.parse(output)).toEqual({ atStart: [], whenChosen: [], whenUsed: ["tiny-secp256k1"] })
})

test("a back end is loaded once", () => {
  expect(secp256k1()).toBe(secp256k1())
  expect(bls()).toBe(bls())
})

test.each(["wasm", "noble"] as const)("secp256k1 by %s can be asked for", (name) => {
  chooseBackends({ secp256k1: name })
  expect(secp256k1().name).toBe(name)
})

test.each(["native", "noble"] as const)("BLS by %s can be asked for", (name) => {
  chooseBackends({ bls: name })
  expect(bls().name).toBe(name)
})

test("without a choice the first that loads is taken", () => {
  expect([Object.keys(secp256k1Backends), secp256k1().name]).toEqual([["wasm", "noble"], "wasm"])
  expect([Object.keys(blsBackends), bls().name]).toEqual([["native", "noble"], "native"])
})

test("a chosen back end that does not load throws a plain error with the reason", () => {
  // @ts-expect-error There is no such back end.
  chooseBackends({ secp256k1: "abacus" })
  expect(() => secp256k1()).toThrow("no secp256k1 back end loads: tried abacus")
})
