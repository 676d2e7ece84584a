import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hrpOf } from "../src/networks/names.js"
import { validatorSetAt } from "../src/readmodel/validatorSets.js"
import { Contexts } from "../src/rpc/contexts.js"
import { handle } from "../src/rpc/dispatch.js"
import type { Dialect } from "../src/rpc/method.js"
import { platformMethods } from "../src/rpc/platform/index.js"
import { MemoryStore } from "../src/store/memoryStore.js"
import { openLmdbStore } from "../src/store/openLmdbStore.js"
import type { Store } from "../src/store/store.js"
import { addressText } from "../src/types/address.js"
import { PRIMARY_NETWORK_ID } from "../src/types/id.js"
import { testNode } from "../test/fixtures/rpcNode.js"
import { type BigChain, bigChain, bigChainTables } from "./fixtures/bigChain.js"
import { measure, type Report } from "./harness.js"

/** What is promised a second, of a chain with 1,500 validators, 30,000 delegators and 200,000 UTXOs. */
const AIM = 5_000

/** The platform interface without HTTP: from the bytes of a request to those of its answer. */
export const platformReports: readonly Report[] = [
  {
    name: "platform interface, in process",
    async run(print) {
      for (const onDisk of [false, true]) await withStore(onDisk, (store) => reportOn(store, onDisk ? "disk" : "memory", print))
    },
  },
]

async function withStore(onDisk: boolean, use: (store: Store) => void): Promise<void> {
  if (!onDisk) return use(new MemoryStore({ tables: bigChainTables }))
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  const store = openLmdbStore({ dir, tables: bigChainTables })
  try {
    use(store)
  } finally {
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** One kind of call: requests that are made in turns. */
interface Asked {
  readonly name: string
  readonly requests: readonly Uint8Array[]
  readonly aim?: number
}

function reportOn(store: Store, where: string, print: (line: string) => void): void {
  const started = performance.now()
  const chain = bigChain(store)
  print(`platform, ${where}: chain made in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const { endpoint, forget } = serve(store, chain, "contract")
  for (const { name, requests, aim } of questions(chain)) {
    for (const isFresh of [false, true]) {
      // What is kept between blocks is there from the start.
      if (!isFresh) for (const request of requests) handle(request, endpoint)
      let next = 0
      const { perSecond, micros } = measure({
        run() {
          if (isFresh) forget()
          return handle(requests[next++ % requests.length] as Uint8Array, endpoint)
        },
      })
      const verdict = aim === undefined || isFresh ? "" : `  aim ${aim}/s: ${perSecond >= aim ? "met" : "MISSED"}`
      const how = isFresh ? "first after a block" : "between blocks"
      print(`platform, ${where}, ${name}, ${how}: ${Math.round(perSecond)}/s (${micros.toFixed(0)} µs)${verdict}`)
    }
  }
  const view = store.view()
  let asked = 0n
  const { micros } = measure({ run: () => validatorSetAt(view, PRIMARY_NETWORK_ID, (asked++ * 37n) % chain.height) })
  print(`platform, ${where}, validator set of any height: ${micros.toFixed(0)} µs`)
  view.release()
}

function questions({ addresses, height, rules }: BigChain): readonly Asked[] {
  const request = (method: string, params: object) =>
    Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: `platform.${method}`, params }))
  const owners = addresses.slice(0, 500).map((each) => addressText(each, hrpOf(rules.networkID)))
  const old = Array.from({ length: 100 }, (_, i) => Number(height) / 2 + i)
  return [
    { name: "getHeight", requests: [request("getHeight", {})] },
    { name: "getStake", requests: owners.map((each) => request("getStake", { addresses: [each] })), aim: AIM },
    { name: "getBalance (100 UTXOs)", requests: owners.map((each) => request("getBalance", { addresses: [each] })), aim: AIM },
    { name: "getUTXOs (100)", requests: owners.map((each) => request("getUTXOs", { addresses: [each], limit: 100 })), aim: AIM },
    {
      name: "getValidatorsAt (100 old heights)",
      requests: old.map((each) => request("getValidatorsAt", { height: each })),
      aim: AIM,
    },
    { name: "getCurrentValidators (all)", requests: [request("getCurrentValidators", {})], aim: AIM },
    { name: "getTxsByAddress", requests: owners.map((each) => request("getTxsByAddress", { address: each })) },
    { name: "getSubnets (all)", requests: [request("getSubnets", {})] },
    { name: "getTotalStake", requests: [request("getTotalStake", {})] },
  ]
}

function serve(store: Store, { rules, genesis }: BigChain, dialect: Dialect) {
  const { node } = testNode({ store, rules, genesis, methods: platformMethods })
  let contexts = new Contexts({ dialect, rules, node, snapshot: () => store.view() })
  const methods = new Map(platformMethods.map((method) => [method.name as string, method]))
  const endpoint = { service: "platform", methods, dialect, open: () => contexts.open() }
  const forget = () => {
    contexts.close()
    contexts = new Contexts({ dialect, rules, node, snapshot: () => store.view() })
  }
  return { endpoint, forget }
}
