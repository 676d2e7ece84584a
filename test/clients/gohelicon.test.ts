import { afterAll, beforeAll, expect, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { needs } from "../needs.js"
import { outputOf, programAt } from "./program.js"

const gohelicon = programAt("SERAC_GOHELICON")
let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ accounts: 0, dialect: "avalanchego" })
})
afterAll(() => devnet.stop())

test(
  "AvalancheGo v1.15.0's wallet adds an auto-renewed validator, reconfigures it, and reads it back",
  needs(gohelicon !== undefined, "AvalancheGo v1.15.0's wallet (SERAC_GOHELICON)"),
  async () => {
    const lines = (await outputOf(gohelicon as string, ["try", devnet.url])).split("\n")
    expect(lines.filter((line) => /^(ok|FAIL)\b/.test(line) && !line.startsWith("ok "))).toEqual([])
    expect(lines).toContain("all passed")
  },
)
