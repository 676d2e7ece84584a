import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { recordingPath, recordingText } from "../../../test/recordings/recordings.js"
import { run } from "../../../test/terminal.js"
import { sha256Hex } from "../../core/crypto/hash.js"

const folder = mkdtempSync(join(tmpdir(), "serac-genesis-"))
afterAll(() => rmSync(folder, { recursive: true }))

const json = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(["genesis", "--json", ...words])
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

const AT = ["--at", "2024-07-15T04:00:00Z"]

// From AvalancheGo's genesis/genesis_test.go.
const local = {
  genesisID: "2nRRoR76HuEk1JjDpRdN8FKvZFvUXWxY3b9C5rZRPFjcgEh7S7",
  avaxAssetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
  blockchainIDs: {
    X: "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed",
    C: "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC",
  },
}

test("the local network has the genesis that AvalancheGo publishes", async () => {
  const answer = await json("--network-id", "local", ...AT)
  expect(answer).toMatchObject({ networkID: 12345, ...local, timestamp: 1_721_016_000, initialSupply: "360000000000000000" })
  expect(Object.keys(answer)).toEqual([
    "networkID",
    "genesisID",
    "genesisBlockID",
    "avaxAssetID",
    "blockchainIDs",
    "timestamp",
    "initialSupply",
    "validators",
  ])
  expect(answer.validators[0]).toEqual({
    txID: "32fSGy5ZU9WBprRFSBkFqZ3Qy7BUZF6fxDuPGsQcvLfYuwSR4",
    kind: "AddPermissionlessValidatorTx",
    nodeID: "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5",
    start: 1_721_016_000,
    end: 1_752_530_400,
    weight: "2000000000000000",
    shares: 62500,
    publicKey: expect.stringMatching(/^0x[0-9a-f]{96}$/),
  })
})

test("its start time follows the clock in steps of 270 days", async () => {
  expect((await json("--at", "1744343999")).genesisID).toBe(local.genesisID)
  expect(await json("--at", "1744344000")).toMatchObject({
    timestamp: 1_744_344_000,
    genesisID: "pHm7xfkYhSUKgie86gGvpAea88BNSmj2qnE9rSMACPYdn9nFs",
    avaxAssetID: local.avaxAssetID,
  })
})

test("a network without a name has the local genesis under its own ID", async () => {
  expect(await json("--network-id", "1337", ...AT)).toMatchObject({
    networkID: 1337,
    genesisID: "25TmeJk9beV6VWAGxEAHNrZX52YiBaz51DJmAcU8gkyisPviD3",
  })
})

test("without --json the same values are printed as text", async () => {
  const { stdout } = await run(["genesis", ...AT])
  expect(stdout).toContain(`Genesis of local, network 12345\n\nGenesis ID        ${local.genesisID}\n`)
  expect(stdout).toContain("Timestamp         2024-07-15T04:00:00Z (1721016000)\nInitial supply    360,000,000 AVAX\n")
  expect(stdout).toContain(
    "  NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5  until 2025-07-14T22:00:00Z  2,000,000 AVAX, delegation fee 6.25 %\n",
  )
  expect(stdout).toContain("UTXOs (3)\n  P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u  20,000,000 AVAX\n")
})

test("--bytes writes the genesis bytes, whose hash is the genesis ID", async () => {
  const path = join(folder, "genesis.bin")
  expect((await json(...AT, "--bytes", path)).genesisID).toBe(local.genesisID)
  expect(sha256Hex(readFileSync(path))).toBe("ead4959a97aff56a3c7e3153143036183c9d18bbbe44a658b459a524e1ad74f2")
  const { stdout } = await run(["decode", `@${path}`])
  expect(JSON.parse(stdout)).toMatchObject({ kind: "Genesis", id: local.genesisID })
  expect((await run(["genesis", ...AT, "--bytes", "-"])).stdout).toContain("{{ fun_quote }}")
  expect((await run(["genesis", "--bytes", "/no/such/folder/x"])).stderr).toMatch(/^serac: cli.unwritable_file: /)
})

test("an impossible genesis is refused with the field and the reason", async () => {
  const line = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(["genesis", ...words])
    expect([code, stdout, stderr.split("\n").length]).toEqual([1, "", 2])
    return stderr
  }
  const file = join(folder, "wrong.json")
  writeFileSync(file, '{"networkID": 9999, "allocations": [{"ethAddr": "0x12", "avaxAddr": "X-local1"}]}')
  expect(await line("--network-id", "mainnet", "--genesis-file", file)).toMatch(/^serac: genesis.bad_field: /)
  expect(await line("--network-id", "9999", "--genesis-file", file)).toMatch(
    /^serac: genesis.bad_field: .*\(field: allocations\[0\].ethAddr, /,
  )
  expect(await line("--genesis-file", file)).toMatch(/^serac: genesis.file_not_allowed: /)
  expect(await line("--max-stake-duration", "1h", "--network-id", "fuji")).toMatch(/^serac: network.rules_fixed: /)
  expect(await line("--at", "tomorrow")).toMatch(/^serac: cli.flag_value: .*flag: --at, value: tomorrow, /)
})

/** Mainnet's genesis file in gzip. */
const mainnetFile = () => {
  const path = join(folder, "mainnet.json.gz")
  writeFileSync(path, gzipSync(recordingText("data/genesis_mainnet.json")))
  return path
}

test("Mainnet, Fuji and a private network have the genesis of their files, plain, gzip or base64", async () => {
  const mainnet = await json("--network-id", "mainnet", "--genesis-file", mainnetFile())
  expect(mainnet).toMatchObject({
    genesisID: "UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk",
    avaxAssetID: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
    blockchainIDs: {
      X: "2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM",
      C: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
    },
    initialSupply: "359999999999990210",
  })
  const fuji = Buffer.from(recordingText("data/genesis_fuji.json"))
  const packed = join(folder, "fuji.json.gz")
  writeFileSync(packed, gzipSync(fuji))
  const fujiID = "MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3"
  expect((await json("--network-id", "fuji", "--genesis-file", packed)).genesisID).toBe(fujiID)
  expect((await json("--network-id", "fuji", "--genesis-file-content", fuji.toString("base64"))).genesisID).toBe(fujiID)
  const custom = ["--network-id", "9999", "--genesis-file", recordingPath("data/genesis_custom_9999.json")]
  expect((await json(...custom)).genesisID).toBe("2EGSBaevV4q65sd44yDALbZNPjEzmhwRXZ5zMRqdxBkaajQzSw")
  expect((await run(["genesis", ...custom, "--max-stake-duration", "8759h"])).stderr).toMatch(
    /^serac: genesis.stake_duration_too_long: /,
  )
})

test("a file of another network is refused", async () => {
  const { code, stderr } = await run(["genesis", "--network-id", "fuji", "--genesis-file", mainnetFile()])
  expect([code, stderr]).toEqual([
    1,
    "serac: genesis.wrong_network: the genesis file is for another network (expected: 5, got: 1)\n",
  ])
})
