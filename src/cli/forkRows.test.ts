import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { ewoq, vmRQ } from "../core/genesis/testKeys.js"
import { silentLog } from "../core/lib/log.js"
import { addressText } from "../core/types/address.js"
import { nodeIDText } from "../core/types/id.js"
import { clientOf } from "../node/api.js"
import { type PrivateNodeOptions, startPrivateNode } from "../sources/private/privateNode.js"
import { forkFacts, forkRows } from "./forkRows.js"

const dir = mkdtempSync(join(tmpdir(), "serac-fork-rows-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const START = 1_900_000_000n

const start = (options: Partial<PrivateNodeOptions>) =>
  startPrivateNode({
    dataDir: undefined,
    choice: { now: START },
    dialect: "contract",
    isPublic: false,
    http: undefined,
    producer: { startTime: START, isFrozen: true },
    log: silentLog,
    wall: () => Number(START) * 1000,
    ...options,
  })

test("the banner of a fork says what is real, and lists overrides by what they override", async () => {
  const base = await start({ dataDir: dir })
  expect([forkRows(base), forkFacts(base)]).toEqual([[], {}])
  await base.stop()
  const fork = await start({ fork: { from: dir } })
  const [of, real, later, none] = forkRows(fork)
  expect(of?.[1]).toMatch(new RegExp(`^of local after block 0, \\w{45,}, from ${dir}$`))
  expect([real?.[1], later?.[1]]).toEqual([
    "genesis, rules, upgrade times, all blocks up to 0 and the state after them",
    "all later blocks: this node makes them, and every validator is online",
  ])
  expect(none?.[1]).toContain("none so far")
  const nodeID = fork.identity.nodeID
  const call = clientOf(fork.api)
  await call("dev.impersonate", { addresses: [ewoq, vmRQ].map(({ address }) => addressText(address, "local")) })
  await call("dev.setUptime", { nodeID: nodeIDText(nodeID), percent: 12 })
  await call("dev.setUptime", { nodeID: nodeIDText(nodeID), percent: 13 })
  await call("dev.takeValidatorKeys", {})
  expect(forkRows(fork).at(-1)).toEqual(["Override", "2 impersonated owners, 1 uptime, 5 BLS keys of validators"])
  expect(forkFacts(fork)).toMatchObject({
    fork: { height: "0", overrides: { utxos: 0, imports: 0, impersonatedOwners: 2, uptimes: 1, validatorKeys: 5 } },
  })
  await fork.stop()
})
