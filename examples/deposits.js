// Records every deposit to some addresses exactly once, whatever is killed meanwhile: this program or the node.
//
//   node examples/deposits.js http://127.0.0.1:9650 deposits.json P-local1… P-local1…
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { httpClient, subscribe } from "serac/client"

const [url, file, ...addresses] = process.argv.slice(2)
const call = httpClient(url)

// The place in the chain and the deposits up to it are one file, so that they change together: a database does it in one transaction.
let { after, deposits } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { after: undefined, deposits: {} }

function save() {
  const part = openSync(`${file}.part`, "w")
  writeSync(part, JSON.stringify({ after, deposits }))
  fsyncSync(part)
  closeSync(part)
  renameSync(`${file}.part`, file)
}

/** Returns the outputs of a transaction that are deposits: AVAX that one of the addresses alone may spend, now or from a time on. */
async function depositsOf(/** @type {string} */ txID, /** @type {bigint} */ height) {
  const { assetID: avax } = await call("platform.getStakingAssetID")
  const { outputs } = await call("platform.getTxInfo", { txID })
  return outputs.flatMap(
    ({ utxoID, assetID, role, threshold, addresses: owners, amount, locktime = 0n, stakeableLocktime = 0n }) => {
      const isOurs = threshold === 1 && owners.length === 1 && addresses.includes(owners[0])
      if (!isOurs || assetID !== avax || role === "stake" || role === "export") return []
      const lockedUntil = Number(locktime > stakeableLocktime ? locktime : stakeableLocktime)
      return [[utxoID, { address: owners[0], amount: String(amount), lockedUntil, txID, height: Number(height) }]]
    },
  )
}

for (;;) {
  try {
    let found = []
    for await (const event of await subscribe(url, after === undefined ? { from: 1 } : { after })) {
      if (event.event === "tx") found.push(...(await depositsOf(event.txID, event.height)))
      if (event.event === "block") deposits = { ...deposits, ...Object.fromEntries(found) }
      // Only a private chain goes back. What was accepted on a network stays.
      if (event.event === "revert")
        deposits = Object.fromEntries(Object.entries(deposits).filter(([, { height }]) => height <= event.height))
      if (event.event === "tx" || event.event === "l1") continue
      after = `${event.height}-${event.id}`
      found = []
      save()
    }
  } catch (error) {
    console.error("it will be tried again in a second:", error)
    await setTimeout(1_000)
  }
}
