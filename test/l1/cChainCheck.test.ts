import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { utf8 } from "../../src/core/lib/bytes.js"
import { tables } from "../../src/core/state/tables.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { recordsIn } from "../../src/hosting/chainRecord.js"
import { HostedDatabase } from "../../src/hosting/hostedDatabase.js"
import { SnapshotRoom } from "../../src/hosting/snapshotRoom.js"
import type { Store } from "../../src/store/store.js"
import { runBin, seracOfFile } from "../cli/serac.js"
import { AtomicWallet } from "./cChain.js"
import { startWithCChain } from "./conservation.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("c-chain-check")
const AVAX = 10n ** 9n

/** Makes a chain from whose C-Chain AVAX went to the P-Chain, where a part of it waits. */
async function chainWithCChain(name: string, start: typeof startDevnet | typeof startWithCChain = startWithCChain, config = {}) {
  const dataDir = join(built.folder, name)
  await using devnet = await start({ pluginDir, dataDir, cChain: { payAccounts: false, config } })
  const { cChain } = devnet
  const user = await AtomicWallet.open(devnet.url, { privateKey: devnet.keys[0]!.privateKey, evm: cChain.keys[0]! }, cChain)
  await user.exportFromC(5n * AVAX)
  await user.importToP()
  await user.exportFromC(2n * AVAX)
  return dataDir
}

/** Changes the store of a node that has stopped. */
async function changed(dataDir: string, change: (store: Store) => void): Promise<void> {
  const store = openStore(chainDir(dataDir))
  change(store)
  await store.close()
}

const check = (dataDir: string, ...flags: string[]) => {
  const { code, stderr } = runBin(built.bin, ["state", "--data-dir", dataDir, "--check", ...flags])
  return { code, stderr: stderr.trim() }
}

describe("serac state --check beside a C-Chain", { ...needsPlugin("coreth"), timeout: 120_000 }, () => {
  test("sums its accounts with its plugin, says if it cannot, and finds AVAX that came from nowhere", async () => {
    const dataDir = await chainWithCChain("whole")
    expect(check(dataDir)).toEqual({
      code: 0,
      stderr: "serac: the accounts of the C-Chain were not summed: --plugin-dir names no plugin for it",
    })
    // What ewoq has at genesis, without two exports and their fees.
    const sum = 50_000_000n * AVAX * AVAX - (7n * AVAX + 200_000n) * AVAX
    const found = `the accounts of the C-Chain have ${sum} wei after block 2`
    const summed = { code: 0, stderr: `serac: ${found}, as its imports and exports say` }
    expect(check(dataDir, "--plugin-dir", pluginDir, "--deep")).toEqual(summed)
    // The VM has written nothing.
    expect(check(dataDir, "--plugin-dir", pluginDir)).toEqual(summed)
    const setFunds = (funds: bigint) =>
      changed(dataDir, (store) => {
        const { chainID } = recordsIn(store.latest)[0]!
        const room = new SnapshotRoom(0, () => {})
        const commit = (edits: Parameters<Store["commit"]>[0]) => store.commit(edits)
        const database = new HostedDatabase({ chainID, store, commit, room, maxBytes: 1 << 30 })
        database.write({ puts: [], deletes: [] }, { overrides: [], funds: utf8(String(funds)) })
      })
    await setFunds(sum / AVAX - 1n)
    const { code, stderr } = check(dataDir, "--plugin-dir", pluginDir)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${found}, and ${sum - AVAX} by its imports and exports`)])
    await setFunds(sum / AVAX + 3n)
    expect(check(dataDir, "--plugin-dir", pluginDir)).toEqual({
      code: 0,
      stderr: `serac: ${found}; its contracts have burned ${3n * AVAX}`,
    })
  })

  test("says that a VM lists no accounts", async () => {
    const dataDir = await chainWithCChain("silent", startDevnet, {
      "eth-apis": ["eth", "internal-eth", "internal-blockchain", "internal-transaction"],
    })
    expect(check(dataDir, "--plugin-dir", pluginDir)).toEqual({
      code: 0,
      stderr: "serac: the accounts of the C-Chain were not summed: its VM lists no accounts",
    })
  })

  test("finds a UTXO between the chains that nobody put there", async () => {
    const dataDir = await chainWithCChain("more")
    await changed(dataDir, (store) => {
      const [key] = [...store.latest.rows(tables.atomicUtxos)][0]!
      store.commit(
        new Map([[tables.atomicUtxos, new Map([[tables.atomicUtxos.key.toText(key), { value: undefined, isNew: false }]])]]),
      )
    })
    const { code, stderr } = check(dataDir, "--deep")
    expect([code, stderr]).toEqual([1, expect.stringMatching(/atomicUtxos has under .* and replaying the blocks gives /)])
  })
})
