import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { seracOfFile } from "../cli/serac.js"
import { type RunningNode, startNode } from "../faults/node.js"
import { attempts } from "../fuzz/random.js"

const built = seracOfFile("staleAnswers")
const OWNERS = ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] as const

/** Everything that the readers look at, as text: the height, balances, UTXOs and those to import of both owners, and a block. */
async function stateAt(node: RunningNode): Promise<string> {
  const [owner, other] = OWNERS
  const asked: readonly (readonly [string, object])[] = [
    ["platform.getHeight", {}],
    ["platform.getBalance", { addresses: [owner] }],
    ["platform.getUTXOs", { addresses: [owner, other] }],
    ["platform.getUTXOs", { addresses: [owner], sourceChain: "X" }],
    ["platform.getStake", { addresses: [other] }],
    ["platform.getTimestamp", {}],
    ["platform.getValidatorsAt", { height: "proposed" }],
  ]
  const answers = []
  for (const [method, params] of asked) answers.push(await node.call(method, params))
  return JSON.stringify(answers.map(({ result, error }) => result ?? error))
}

/** The balances that may be answered at a time: the present one, and while a change is under way the next one. */
class Truth {
  #valid: Set<string>
  readonly #readers = new Set<Set<string>>()

  constructor(balance: string) {
    this.#valid = new Set([balance])
  }

  /** A change to this balance begins. */
  begin(balance: string): void {
    for (const set of [this.#valid, ...this.#readers]) set.add(balance)
  }

  /** The change has been answered. */
  end(balance: string): void {
    this.#valid = new Set([balance])
  }

  /** Asks for a balance, and checks that it held at some time between the request and the answer. */
  async read(ask: () => Promise<string>): Promise<void> {
    const valid = new Set(this.#valid)
    this.#readers.add(valid)
    const answer = await ask()
    this.#readers.delete(valid)
    expect([...valid]).toContain(answer)
  }
}

const balanceAt = async (node: RunningNode): Promise<string> =>
  String((await node.call("platform.getBalance", { addresses: [OWNERS[0]] })).result?.balance)

/** Reads at a node until `isOver`, so that its caches are full and its answers shared. */
async function readAt(node: RunningNode, truth: Truth, isOver: () => boolean): Promise<number> {
  let reads = 0
  for (; !isOver(); reads++) await truth.read(() => balanceAt(node))
  return reads
}

test("no front end answers from before a block, a revert or an override, while many read and one pays and reverts", async () => {
  const dataDir = mkdtempSync(join(built.folder, "chain-"))
  const writer = await startNode(built.bin, ["--data-dir", dataDir])
  const serve = ["serve", "--data-dir", dataDir, "--public", "--rate-limit", "1000000"]
  const server = await startNode(built.bin, [...serve, "--processes", "2"])
  const one = await startNode(built.bin, serve)
  const nodes = [writer, server, one]
  let balance = 0n
  const truth = new Truth("0")
  const change = async (next: bigint, method: string, params: object = {}) => {
    truth.begin(next.toString())
    const { result, error } = await writer.call(method, params)
    expect(error).toBeUndefined()
    truth.end(next.toString())
    balance = next
    // The writer's own answer is compared with a balance that the test knows, and those of the others with the writer's.
    expect(await balanceAt(writer)).toBe(next.toString())
    for (let again = 0; again < 3; again++) {
      const [expected, ...others] = await Promise.all([writer, server, server, one].map(stateAt))
      expect(others).toEqual([expected, expected, expected])
    }
    return result
  }
  const fund = (amount: bigint) => change(balance + amount, "dev.fund", { address: OWNERS[0], amount: Number(amount) })
  let isOver = false
  const readers = nodes.flatMap((node) => [1, 2, 3].map(() => readAt(node, truth, () => isOver)))
  const writing = async () => {
    for (let round = 0; round < attempts(40); round++) {
      await fund(1000n)
      const before = balance
      const snapshot = await change(balance, "dev.snapshot")
      await fund(7n)
      await change(balance, "dev.creditAtomic", { sourceChain: "X", address: OWNERS[0], amount: 5 + round })
      await change(before, "dev.revert", { id: snapshot?.id })
      await fund(11n)
      await change(balance, "dev.setUptime", { nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", percent: round })
      await change(balance, "dev.advanceTime", { seconds: 60 })
    }
  }
  try {
    await Promise.race([writing(), Promise.all(readers)])
  } finally {
    isOver = true
  }
  for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(attempts(40))
  expect(await Promise.all(nodes.reverse().map((node) => node.stop()))).toEqual([0, 0, 0])
}, 180_000)
