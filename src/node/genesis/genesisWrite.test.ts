import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { GenesisConfig } from "../../core/genesis/config.js"
import { configToJson } from "../../core/genesis/configJson.js"
import { genesisFor } from "../../core/genesis/forNetwork.js"
import { localConfig } from "../../core/genesis/local.js"
import { ewoq } from "../../core/genesis/testKeys.js"
import { printJson } from "../../core/lib/json.js"
import { silentLog } from "../../core/lib/log.js"
import { paramsFor, upgradesFor } from "../../core/networks/index.js"
import { hrpOf } from "../../core/networks/names.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import { addressText } from "../../core/types/address.js"
import { indexEdits } from "../../store/indexes.js"
import { chainDir, genesisEdits } from "../chainData.js"
import { digestOf } from "../digest.js"
import { openStore } from "../openStore.js"
import { type PrivateNodeOptions, startPrivateNode } from "../privateNode.js"
import { tablesOfGenesisUtxos } from "./genesisWrite.js"

const NETWORK = 9_876
const START = 1_794_600_000n
const UTXOS = 2_500

/** The local network's genesis with `utxos` more UTXOs of one owner. */
function configWith(utxos: number): GenesisConfig {
  const local = localConfig(NETWORK, START)
  const unlockSchedule = Array.from({ length: utxos }, (_, i) => ({ amount: BigInt(i + 1), locktime: 0n }))
  const more = { ethAddr: "00".repeat(20), avaxAddr: ewoq.address, initialAmount: 0n, unlockSchedule }
  return { ...local, allocations: [...local.allocations, more] }
}

function optionsOf(config: GenesisConfig, dataDir: string | undefined): PrivateNodeOptions {
  const now = START + 1000n
  return {
    isEphemeral: dataDir === undefined,
    dataDir,
    choice: { networkID: NETWORK, genesisText: printJson(configToJson(config)), now },
    dialect: "contract",
    isPublic: false,
    producer: { isFrozen: true, startTime: now },
    http: { port: 0 },
    log: silentLog,
    wall: () => Number(now) * 1000,
  }
}

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-genesis-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function ask(
  node: Awaited<ReturnType<typeof startPrivateNode>>,
  path: string,
  method: string,
  params = {},
): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const reply = await node.api.handle(path, Buffer.from(body))
  return Buffer.concat(reply?.body ?? []).toString()
}

const owner = addressText(ewoq.address, hrpOf(NETWORK))

test("the tables that lack the UTXOs are those that are listed, and no others", () => {
  const now = START + 1000n
  const genesis = genesisFor({
    networkID: NETWORK,
    configText: printJson(configToJson(configWith(3))),
    now,
    maxStakeDuration: 31_536_000n,
  })
  const rules = {
    networkID: NETWORK,
    avaxAssetID: genesis.avaxAssetID,
    params: paramsFor(NETWORK),
    upgrades: upgradesFor(NETWORK),
  }
  const rowsOf = (utxos: typeof genesis.utxos) => {
    const edits = genesisEdits({ genesis: { ...genesis, utxos }, rules })
    return new Map([...edits, ...indexEdits(edits, () => undefined)])
  }
  const [all, shown] = [rowsOf(genesis.utxos), rowsOf([])]
  const sorted = (rows: ReadonlyMap<string, unknown> | undefined) => [...(rows ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
  const isLacking = (table: AnyTable) => !isEqual(sorted(all.get(table)), sorted(shown.get(table)))
  const lacking = [...new Set([...all.keys(), ...shown.keys()])].filter(isLacking)
  expect(lacking.map(({ name }) => name).sort()).toEqual([...tablesOfGenesisUtxos].map(({ name }) => name).sort())
})

function isEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other)
    return true
  } catch {
    return false
  }
}

test.each([
  ["on the disk", directory],
  ["in memory", () => undefined],
])("a node %s answers before a large genesis is written, and calls about its UTXOs wait", async (_where, place) => {
  const node = await startPrivateNode(optionsOf(configWith(UTXOS), place()))
  onTestFinished(() => node.stop())
  const accounts = node.accounts()
  const order: string[] = []
  const note = async (name: string, answer: Promise<string>) => {
    const text = await answer
    order.push(name)
    return text
  }
  const balance = note("balance", ask(node, "/ext/bc/P", "platform.getBalance", { addresses: [owner] }))
  const height = note("height", ask(node, "/ext/bc/P", "platform.getHeight"))
  const validators = note("validators", ask(node, "/ext/bc/P", "platform.getCurrentValidators"))
  const stake = note("stake", ask(node, "/ext/bc/P", "platform.getStake", { addresses: [owner] }))
  expect(JSON.parse(await height).result).toEqual({ height: "0" })
  expect(JSON.parse(await validators).result.validators).toHaveLength(5)
  const { staked } = JSON.parse(await stake).result
  expect(order).toEqual(["height", "validators", "stake"])
  const { utxoIDs, balance: sum } = JSON.parse(await balance).result
  expect(utxoIDs).toHaveLength(UTXOS + 2)
  const own = localConfig(NETWORK, START).allocations.filter(({ avaxAddr }) => avaxAddr === ewoq.address)
  const before = own.flatMap(({ unlockSchedule }) => unlockSchedule).reduce((total, { amount }) => total + amount, 0n)
  expect(BigInt(sum)).toBe(before + BigInt((UTXOS * (UTXOS + 1)) / 2))
  expect(order.at(-1)).toBe("balance")
  await node.begun
  expect(JSON.parse(await ask(node, "/ext/bc/P", "platform.getStake", { addresses: [owner] })).result.staked).toBe(staked)
  expect(accounts.map(({ balance }) => balance)).toEqual(node.accounts().map(({ balance }) => balance))
  expect(await ask(node, "/ext/dev", "dev.mine", { blocks: 1, filler: true })).toContain('"height":"1"')
})

test("a node that stops before a large genesis is written has written nothing, and the next start writes all of it", async () => {
  const [dir, other] = [directory(), directory()]
  const stopped = await startPrivateNode(optionsOf(configWith(UTXOS), dir))
  const begun = expect(stopped.begun).rejects.toMatchObject({ code: "node.stopped" })
  const waiting = ask(stopped, "/ext/bc/P", "platform.getBalance", { addresses: [owner] })
  await stopped.stop()
  await begun
  expect(await waiting).toContain('"error"')
  const empty = openStore(chainDir(dir))
  expect(empty.latest.get(tables.lastAccepted, null)).toBeUndefined()
  await empty.close()
  const digests: string[] = []
  for (const each of [dir, other]) {
    const node = await startPrivateNode(optionsOf(configWith(UTXOS), each))
    await node.begun
    await node.stop()
    const store = openStore(chainDir(each))
    digests.push(JSON.stringify(digestOf(store.latest), (_key, value) => (typeof value === "bigint" ? String(value) : value)))
    await store.close()
  }
  expect(digests[0]).toBe(digests[1])
})
