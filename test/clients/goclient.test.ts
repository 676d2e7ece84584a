import { afterAll, beforeAll, expect, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { needs } from "../needs.js"
import { outputOf, programAt } from "./program.js"

const goclient = programAt("SERAC_GOCLIENT")
let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ accounts: 0, dialect: "avalanchego", flags: { "min-stake-duration": "30s" } })
})
afterAll(() => devnet.stop())

test("AvalancheGo's Go clients and wallet find nothing wrong, with Warp messages of their own", {
  ...needs(goclient !== undefined, "AvalancheGo's Go clients (SERAC_GOCLIENT)"),
  timeout: 300_000,
}, async () => {
  const output = await outputOf(goclient as string, ["-warp", devnet.url])
  expect(output.split("\n").filter((line) => line.startsWith("FAIL"))).toEqual([])
  expect(output).toMatch(/^81 passed, 0 failed$/m)
})
