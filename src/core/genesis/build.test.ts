import { expect, test } from "vitest"
import { recordingText } from "../../../test/recordings/recordings.js"
import { parseConfig } from "../../platform/genesis.js"
import { toHex } from "../lib/bytes.js"
import type { Address } from "../types/address.js"
import { idText, nodeIDText } from "../types/id.js"
import { buildGenesis } from "./build.js"
import type { GenesisConfig } from "./config.js"
import { decodeGenesis, type Genesis } from "./genesis.js"
import { localConfig } from "./local.js"
import { ewoq } from "./testKeys.js"

/** Returns the facts of a genesis that are compared. */
const facts = (genesis: Genesis) => ({
  genesis: idText(genesis.id),
  block: idText(genesis.block.id),
  asset: idText(genesis.avaxAssetID),
  x: idText(genesis.xChainID),
  c: idText(genesis.cChainID),
  supply: genesis.body().initialSupply,
  counts: [genesis.body().utxos.length, genesis.body().validators.length, genesis.body().chains.length],
  size: genesis.bytes().length,
})

const local = {
  genesis: "2nRRoR76HuEk1JjDpRdN8FKvZFvUXWxY3b9C5rZRPFjcgEh7S7",
  block: "2EMQkbjh1YYPsgsMtjWveeQcKvtttNKwVhuR1kcjhBmrRgPcpk",
  asset: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
  x: "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed",
  c: "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC",
  supply: 360_000_000_000_000_000n,
  counts: [3, 5, 2],
  size: 4141,
}

test("the local genesis is AvalancheGo's", () => {
  const genesis = buildGenesis(localConfig())
  expect(facts(genesis)).toEqual(local)
  expect(genesis.networkID).toBe(12345)
  expect(genesis.timestamp).toBe(1_721_016_000n)
  expect(genesis.body().message).toBe("{{ fun_quote }}")
  expect(genesis.block).toMatchObject({ kind: "ApricotCommitBlock", parentID: genesis.id, height: 0n })
  expect(toHex(genesis.block.bytes)).toBe(`000000000002${genesis.id}0000000000000000`)
})

test("a later start of the local network changes genesis and block, not the chains", () => {
  expect(facts(buildGenesis(localConfig(12345, 1_744_344_000n)))).toEqual({
    ...local,
    genesis: "pHm7xfkYhSUKgie86gGvpAea88BNSmj2qnE9rSMACPYdn9nFs",
    block: "2vZrg7GxqyoMzfca9dKozdfyKwgPnhhoYLWM3pPAuX5MDhL71Q",
  })
})

test("another network ID changes every ID", () => {
  expect(facts(buildGenesis(localConfig(1337)))).toEqual({
    ...local,
    genesis: "25TmeJk9beV6VWAGxEAHNrZX52YiBaz51DJmAcU8gkyisPviD3",
    block: "2hPBZsJrNdx4FvomAwmqohbgbAMe2BBuTSJGpABka3VFmdbNQK",
    asset: "28N55gFiYRrHWTopC4mybgvTw92x4EmWiZBLCRBgjXFyBgx9UN",
    x: "2huFztbeB4LijVCoLrxP8NwFbRCdtLfUyvx4VXwD5VnVxzxkMX",
    c: "t7JQ8kk2KaX7YhWWHv2fnWNztt81hJ13i2FXDq2ZG1CFyWghx",
  })
})

test("the local validators are in heap order, each with a fifth of the stake", () => {
  const { validators } = buildGenesis(localConfig()).body()
  expect(validators.map(({ id, unsignedTx: { kind, validator } }) => [idText(id), kind, validator.end])).toEqual([
    ["32fSGy5ZU9WBprRFSBkFqZ3Qy7BUZF6fxDuPGsQcvLfYuwSR4", "AddPermissionlessValidatorTx", 1_752_530_400n],
    ["VSKVmMVRa6v22HcUgGvdhch2SXAZyFUFAgYMH9eRckJrDbz9F", "AddPermissionlessValidatorTx", 1_752_535_800n],
    ["TTcrjBmQazpWTB93o1xActsSDK9BqsR2xucSJTgg3DTGRCdhE", "AddPermissionlessValidatorTx", 1_752_546_600n],
    [idText(validators[3]!.id), "AddPermissionlessValidatorTx", 1_752_552_000n],
    [idText(validators[4]!.id), "AddPermissionlessValidatorTx", 1_752_541_200n],
  ])
  for (const { unsignedTx } of validators) expect(unsignedTx.validator.weight).toBe(2_000_000_000_000_000n)
})

test("validators that end together keep the order of the file, and one that is listed twice is there once", () => {
  const config = { ...localConfig(), initialStakeDurationOffset: 0n }
  const { validators } = buildGenesis(config).body()
  const nodes = config.initialStakers.map(({ nodeID }) => nodeID)
  expect(validators.map(({ unsignedTx }) => unsignedTx.validator.nodeID)).toEqual(nodes)
  const [first] = config.initialStakers
  expect(buildGenesis({ ...config, initialStakers: [first!, first!] }).body().validators).toHaveLength(1)
})

test("funds that are locked past the start can only be staked, and other funds are free", () => {
  const genesis = buildGenesis(localConfig(9999, 1_599_696_000n))
  expect(genesis.body().utxos.map(({ outputIndex, output }) => [outputIndex, output.kind])).toEqual([
    [0, "TransferOutput"],
    [1, "LockOut"],
    [2, "LockOut"],
  ])
  for (const { unsignedTx } of genesis.body().validators)
    expect(unsignedTx.stake[0]!.output).toMatchObject({ locktime: 1_633_824_000n })
  const exactly = buildGenesis(localConfig(9999, 1_633_824_000n))
  expect(exactly.body().utxos.map(({ output }) => output.kind)).toEqual(Array(3).fill("TransferOutput"))
})

test("a share that is exactly full leaves a stake of zero in the genesis", () => {
  const owner = (avaxAddr: string) => ({ ethAddr: "00".repeat(20), avaxAddr: avaxAddr as Address, initialAmount: 0n })
  const allocations = [
    { ...owner("aa".repeat(20)), unlockSchedule: [{ amount: 50n, locktime: 9n }] },
    { ...owner(ewoq.address), unlockSchedule: [{ amount: 50n, locktime: 1n }] },
  ]
  const base = localConfig()
  const config: GenesisConfig = {
    ...base,
    allocations,
    initialStakedFunds: allocations.map(({ avaxAddr }) => avaxAddr),
    initialStakers: base.initialStakers.slice(0, 2),
    initialStakeDurationOffset: 0n,
  }
  const [first] = buildGenesis(config).body().validators
  // Sorted by lock time although none of the locks is left.
  expect(first!.unsignedTx.stake.map(({ output }) => output)).toEqual([
    { kind: "TransferOutput", amount: 0n, locktime: 0n, threshold: 1, addresses: [ewoq.address] },
    { kind: "TransferOutput", amount: 50n, locktime: 0n, threshold: 1, addresses: ["aa".repeat(20)] },
  ])
})

const refused: readonly [code: string, changes: Partial<GenesisConfig>][] = [
  ["genesis.no_stakers", { initialStakers: [] }],
  ["genesis.zero_weight", { allocations: localConfig().allocations.slice(1) }],
  ["genesis.validator_over", { initialStakeDurationOffset: 7_884_000n }],
  ["genesis.message_too_long", { message: "é".repeat(32_768) }],
  ["math.overflow", { startTime: 2n ** 64n - 1n }],
]

test.each(refused)("no genesis can be made: %s", (code, changes) => {
  expect(() => buildGenesis({ ...localConfig(), ...changes })).toThrow(expect.objectContaining({ code }))
})

test("a message of 65535 bytes fits, and is shown as text", () => {
  const message = `${"é".repeat(32_767)}!`
  expect(decodeGenesis(buildGenesis({ ...localConfig(), message }).bytes()).body().message).toBe(message)
})

const read = (name: string) => parseConfig(recordingText(name))

const files: readonly [name: string, expected: ReturnType<typeof facts>][] = [
  [
    "data/genesis_mainnet.json",
    {
      genesis: "UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk",
      block: "2FUFPVPxbTpKNn39moGSzsmGroYES4NZRdw3mJgNvMkMiMHJ9e",
      asset: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
      x: "2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM",
      c: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
      supply: 359_999_999_999_990_210n,
      counts: [15_344, 75, 2],
      size: 4_402_540,
    },
  ],
  [
    "data/genesis_fuji.json",
    {
      genesis: "MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3",
      block: "99BWrAqUMvTp9nXKXyjPsCqjGwDqVFqssTRQbu58af57Cf9VG",
      asset: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
      x: "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
      c: "yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp",
      supply: 360_000_000_000_000_000n,
      counts: [0, 20, 2],
      size: 7106,
    },
  ],
  ["data/genesis_local.json", local],
  [
    "data/genesis_custom_9999.json",
    {
      genesis: "2EGSBaevV4q65sd44yDALbZNPjEzmhwRXZ5zMRqdxBkaajQzSw",
      block: "2Dy68a2gbwfF7npYUkFWEGHGXmMS9RuBJFkdvNDwJPfjAbXakd",
      asset: "2eeoeu1VTc81MYnHHRkfobFCFtZeZpUzTYLT1F7aqTVBfh6vH2",
      x: "LFpazZbQAEPx89q6dV3dKVzhTNBvDRVvYW1Yk2Lxqgs21qgxa",
      c: "Fdrxuyje3oeFqSJtYntN2ithFeofmf4ZNz3zGn1pvDEhFVWmg",
      supply: 360_000_000_000_000_000n,
      counts: [3, 5, 2],
      size: 3655,
    },
  ],
]

test.each(files)("%s gives its known genesis, which reads back", (name, expected) => {
  const genesis = buildGenesis(read(name))
  expect(facts(genesis)).toEqual(expected)
  const again = decodeGenesis(genesis.bytes())
  expect(facts(again)).toEqual(expected)
  expect(again.body().message).toBe(genesis.body().message)
  expect(again.body().validators.map(({ id }) => id)).toEqual(genesis.body().validators.map(({ id }) => id))
})

test.each(["data/genesis_local.json"])("%s is the configuration that we carry", (name) => {
  expect(read(name)).toEqual(localConfig())
})

test("a genesis names its validators' nodes", () => {
  const { validators } = buildGenesis(localConfig()).body()
  expect(nodeIDText(validators[0]!.unsignedTx.validator.nodeID)).toBe("NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5")
})
