import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { expect, test } from "vitest"
import { httpClient } from "../../src/client/client.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { tables } from "../../src/core/state/tables.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import { runBin, seracOfFile } from "../cli/serac.js"
import { historyOfBlocks } from "../fixtures/historyOfBlocks.js"
import { changeOf, firstUnspent, localNetwork, payment } from "../fixtures/longChain.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { expectJudged, judgedTest } from "../judge.js"

const secondsOf = (rfc3339: string): number => Date.parse(rfc3339) / 1000

const built = seracOfFile("kill")
const { folder } = built

/** Gas for all, at the lowest price: the payments offer no more. */
const plentyOfGas = Object.fromEntries(
  ["max-gas-capacity", "max-gas-per-second", "target-gas-per-second"].map((name) => [`dynamic-fees-${name}`, "1000000000"]),
)

/** Starts the node on a directory as a user would, and waits until it answers. */
async function start(dir = folder): Promise<{ child: ChildProcess; url: string }> {
  const limits = Object.entries(plentyOfGas).map(([name, value]) => `--${name}=${value}`)
  const args = ["--data-dir", dir, "--accounts", "0", "--http-port", "0", "--json", "--log-level", "error", ...limits]
  const child = spawn(process.execPath, [built.bin, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  return { child, url: JSON.parse(String(line)).url }
}

const kills = attempts(100, 25)

test(`a node that is killed ${kills} times while transactions are issued keeps every transaction that it acknowledged`, async () => {
  const random = new Random(seed("moments of killing a node"))
  const { rules } = localNetwork()
  const answered: string[] = []
  let unspent = firstUnspent
  let asked: Tx | undefined
  for (let round = 0; round < kills; round++) {
    const { child, url } = await start()
    const call = httpClient(url)
    for (const txID of answered.slice(-50)) {
      expect(await call("platform.getTxStatus", { txID }), `round ${round}, ${txID}`).toEqual({ status: "Committed" })
    }
    // The last transaction may have been accepted without an answer.
    if (asked && (await call("platform.getTxStatus", { txID: idText(asked.id) })).status === "Committed") {
      answered.push(idText(asked.id))
      unspent = changeOf(asked)
    }
    expect(await call("platform.getHeight")).toEqual({ height: BigInt(answered.length) })
    const ended = once(child, "exit")
    const moment = random.below(250)
    for (let issued = 0; ; issued++) {
      // On a busy machine the first answer may take longer than any moment, so the time counts from there.
      if (issued === 1) setTimeout(() => child.kill("SIGKILL"), moment)
      asked = payment(unspent, rules)
      try {
        await call("platform.issueTx", { tx: toHexText(asked.bytes) })
      } catch (error) {
        // A dead node does not answer; a node that refuses has lost something.
        if ((error as Invalid).code !== "rpc.unreachable") throw error
        break
      }
      answered.push(idText(asked.id))
      unspent = changeOf(asked)
      asked = undefined
    }
    await ended
  }
  await expectHistory(folder)
  // The number depends on the machine and its load.
  // Each round answered at least once.
  expect(answered.length).toBeGreaterThanOrEqual(kills)
}, 600_000)

/** The rows for explorers are those that the blocks lead to. */
async function expectHistory(dir: string): Promise<void> {
  const store = openStore(chainDir(dir))
  const { isWhole, kept, expected } = historyOfBlocks(store)
  await store.close()
  expect(isWhole).toBe(true)
  expect(kept).toEqual(expected)
}

const travels = attempts(40, 20)

judgedTest(
  `a node that is killed ${travels} times while cycles of validators end continues with all of them`,
  async (judge) => {
    const random = new Random(seed("moments of killing a node that travels"))
    const dir = join(folder, "renewing")
    let nodeIDs: readonly string[] = []
    let chainTime = 0
    for (let round = 0; round < travels; round++) {
      const { child, url } = await start(dir)
      const call = httpClient(url)
      if (round === 0) {
        const autoRenew = { period: 3_600, compound: 50 }
        nodeIDs = (await call("dev.addValidators", { count: 3, delegators: 0, autoRenew })).nodeIDs
      }
      const { validators } = await call("platform.getCurrentValidators", { nodeIDs })
      // Each auto-renewed validator is in a cycle of an hour, at whatever moment the node was killed.
      expect(validators.map(({ startTime, endTime }) => Number(endTime) - Number(startTime))).toEqual([3_600, 3_600, 3_600])
      const { clock, chainTime: before } = await call("dev.status")
      expect(secondsOf(before)).toBeGreaterThanOrEqual(chainTime)
      // Ten hours to the end, and as many that are cut short.
      const travelled = await call("dev.setTime", { to: secondsOf(clock) + 36_000 })
      chainTime = secondsOf(travelled.chainTime)
      const ended = once(child, "exit")
      setTimeout(() => child.kill("SIGKILL"), random.below(300))
      // The node ends before its answer or after it, and refuses nothing.
      const cutShort = await call("dev.setTime", { to: secondsOf(clock) + 72_000 }).catch((error) => error)
      if (cutShort instanceof Invalid) expect(cutShort.code).toBe("rpc.unreachable")
      await ended
    }
    expect(runBin(built.bin, ["state", "--data-dir", dir, "--check"]).code).toBe(0)
    const store = openLmdbStore({ dir: chainDir(dir), tables: nodeTables, tablesBesideChain })
    expect(
      [...store.latest.rows(tables.renewals)].every(([, { accruedValidationRewards }]) => accruedValidationRewards > 0n),
    ).toBe(true)
    judge(() => expectJudged(store, { flags: plentyOfGas }))
    await store.close()
    await expectHistory(dir)
  },
  600_000,
)
