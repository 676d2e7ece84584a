import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { toHex } from "../../src/core/lib/bytes.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { devTables } from "../../src/producer/tables.js"
import { openToRead } from "../../src/sources/fork/forkBase.js"
import { addToPrivateChain } from "../fixtures/privateChain.js"
import { run } from "../terminal.js"
import { factsOf } from "./factsOf.js"
import { startCopy } from "./followNodes.js"

const START = 1_900_000_000n

const folder = mkdtempSync(join(tmpdir(), "serac-private-copies-"))
const source = join(folder, "source")
let devnet: Devnet

/** A chain with everything that a private chain has beside its blocks. */
beforeAll(async () => {
  devnet = await startDevnet({
    dataDir: source,
    startTime: START,
    freezeTime: true,
    flags: { "min-delegator-stake": "1000000000", "min-stake-duration": "1h" },
  })
  await addToPrivateChain(devnet)
})
afterAll(async () => {
  await devnet.stop()
  rmSync(folder, { recursive: true, force: true })
})

const temporary = () => {
  const dir = mkdtempSync(join(folder, "copy-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const secretsIn = async (dataDir: string) => {
  const store = await openToRead(dataDir)
  const secrets = [...store.latest.rows(devTables.identities)].map(([, { secret }]) => toHex(secret))
  await store.close()
  return secrets
}

test("a copy of a private chain has its state, its overrides, its rules and its ID, follows new overrides, and has no secret", async () => {
  const dataDir = temporary()
  {
    await using copy = await startCopy([devnet.url], dataDir)
    await copy.reaches(BigInt((await devnet.dev.status()).height))
    await devnet.dev.creditAtomic({ address: devnet.keys[2]!.address, amount: "6", sourceChain: "X" })
    const count = [...(await factsOf(source)).overrides].length
    await vi.waitFor(async () => expect((await factsOf(dataDir)).overrides).toHaveLength(count), { timeout: 20_000 })
  }
  expect(await factsOf(dataDir)).toEqual(await factsOf(source))
  expect([await secretsIn(dataDir), (await secretsIn(source)).length]).toEqual([[], 8])
  // A copy that was stopped continues, and a copy can be copied.
  await addToPrivateChain(devnet)
  {
    await using copy = await startCopy([devnet.url], dataDir, { http: { port: 0 } })
    await copy.reaches(BigInt((await devnet.dev.status()).height))
    const second = temporary()
    {
      await using other = await startCopy([copy.listening!.url], second)
      await other.reaches(copy.height())
    }
    expect(await factsOf(second)).toEqual(await factsOf(source))
  }
  expect(await factsOf(dataDir)).toEqual(await factsOf(source))
})

test("a fork of a private chain's URL has its state, and can be extended", async () => {
  const dataDir = join(temporary(), "fork")
  await using fork = await startDevnet({ port: false, fork: devnet.url, dataDir, freezeTime: true, accounts: 2 })
  expect((await fork.dev.status()).height).toBe((await devnet.dev.status()).height)
  await addToPrivateChain(fork)
  const [own, forked] = [await factsOf(source), await factsOf(join(dataDir, "base"))]
  expect(forked).toEqual(own)
})

test("a fork of a private chain's URL makes validators that the chain does not have", async () => {
  await using chain = await startDevnet({ startTime: START, freezeTime: true })
  const { nodeIDs } = await chain.dev.addValidators({ count: 2 })
  const { subnetID } = await chain.dev.createL1({ validators: 1 })
  const dataDir = join(temporary(), "fork")
  await using fork = await startDevnet({ port: false, fork: chain.url, dataDir, freezeTime: true })
  const { nodeIDs: added } = await fork.dev.addValidators({ count: 1 })
  const made = [await fork.dev.newIdentity({}), await fork.dev.newIdentity({})].map(({ nodeID }) => nodeID)
  expect(new Set([...nodeIDs, ...added, ...made]).size).toBe(5)
  // The fork has no secret of the chain's validators.
  await expect(fork.dev.registerL1Validator({ subnetID, weight: 5 })).rejects.toMatchObject({ code: "producer.no_signers" })
  await fork.dev.takeValidatorKeys({ subnetID })
  await fork.dev.registerL1Validator({ subnetID, weight: 5 })
})

test("a copy of a fork has the state and the ID of the fork", async () => {
  const base = temporary()
  await (await startDevnet({ port: false, dataDir: base, startTime: START, freezeTime: true })).stop()
  const [dataDir, copied] = [join(temporary(), "fork"), temporary()]
  await using fork = await startDevnet({ fork: base, dataDir, freezeTime: true, accounts: 2 })
  await addToPrivateChain(fork)
  {
    await using copy = await startCopy([fork.url], copied)
    await copy.reaches((await fork.dev.status()).height)
  }
  const facts = await factsOf(copied)
  expect(facts).toEqual(await factsOf(dataDir))
  const kinds = [base, copied].map(async (dir) => JSON.parse((await run(["state", "--data-dir", dir, "--json"])).stdout))
  expect(await Promise.all(kinds)).toMatchObject([{ kind: "private" }, { kind: "followed", chainID: facts.id }])
  expect(facts.id).not.toBe((await factsOf(base)).id)
})

test("a copy of a chain with delayed Warp heights has its state", async () => {
  const [dataDir, copied] = [temporary(), temporary()]
  await using delayed = await startDevnet({ dataDir, startTime: START, warpLag: true })
  const { subnetID } = await delayed.dev.createL1({ validators: 1 })
  await delayed.dev.advanceTime({ seconds: 3_600 })
  await delayed.dev.mine({ blocks: 1, filler: true })
  await delayed.dev.advanceTime({ seconds: 3_600 })
  await delayed.dev.mine({ blocks: 1, filler: true })
  await delayed.dev.registerL1Validator({ subnetID, weight: 5 })
  {
    await using copy = await startCopy([delayed.url], copied)
    await copy.reaches((await delayed.dev.status()).height)
  }
  expect(await factsOf(copied)).toEqual(await factsOf(dataDir))
})

test("an export of a private chain replays to the same state without a flag", async () => {
  const { stdout, code } = await run(["export", "blocks", "--data-dir", source])
  expect(code).toBe(0)
  for (const secret of await secretsIn(source)) expect(stdout).not.toContain(secret)
  const [file, dataDir] = [join(temporary(), "blocks.txt"), join(temporary(), "replayed")]
  // The second half comes later, and begins with overrides that the first has too.
  const half = BigInt((await devnet.dev.status()).height) / 2n
  const first = await run(["export", "blocks", "--data-dir", source, "--to", String(half)])
  writeFileSync(file, first.stdout)
  expect(await run(["replay", "--blocks", file, "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" })
  const rest = await run(["export", "blocks", "--data-dir", source, "--from", String(half + 1n)])
  writeFileSync(file, rest.stdout)
  expect(await run(["replay", "--blocks", file, "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" })
  expect(await factsOf(dataDir)).toEqual(await factsOf(source))
  writeFileSync(file, stdout)
  const whole = join(temporary(), "whole")
  expect(await run(["replay", "--blocks", file, "--data-dir", whole])).toMatchObject({ code: 0, stderr: "" })
  expect(await factsOf(whole)).toEqual(await factsOf(source))
  expect(await run(["replay", "--blocks", file, "--data-dir", whole])).toMatchObject({ code: 0, stderr: "" })
})

test("an export is replayed by its own rules only: flags that name others are refused before anything is written", async () => {
  const [file, dataDir] = [join(temporary(), "blocks.txt"), join(temporary(), "refused")]
  writeFileSync(file, (await run(["export", "blocks", "--data-dir", source])).stdout)
  const replay = (...flags: string[]) => run(["replay", "--blocks", file, "--data-dir", dataDir, ...flags])
  const same = ["--network-id", "local", "--min-stake-duration", "60m"]
  expect((await replay(...same, "--upgrade", "etna")).stderr).toMatch(/^serac: node\.other_upgrades: /)
  expect((await replay(...same, "--min-delegator-stake", "2000000000")).stderr).toMatch(
    /^serac: node\.other_rule: .*min-delegator-stake/,
  )
  expect((await replay("--network-id", "9999")).stderr).toMatch(/^serac: node\.other_network: /)
  expect(existsSync(dataDir)).toBe(false)
  expect(await replay(...same)).toMatchObject({ code: 0, stderr: "" })
  expect(await factsOf(dataDir)).toEqual(await factsOf(source))
})
