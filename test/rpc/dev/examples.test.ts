import { expect, test } from "vitest"
import type { Json } from "../../../src/core/lib/json.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import type { Example } from "../../../src/jsonrpc/method.js"
import { devMethods } from "../../../src/producer/methods/index.js"
import type { RunningNode } from "../methods/runningNode.js"
import { START, startDevNode } from "./fixture.js"

/** Calls that prepare the chain for the examples of a method. */
const before: Readonly<Record<string, (node: RunningNode) => Promise<void>>> = {
  async "dev.mempool"(node) {
    const { treasury, clock, options } = node.chain.privateChain!
    const tx = treasury.filler(treasury.purse(options.store.latest, clock.now()), clock.now())
    await node.call("dev.setBlockMode", { mode: "manual" })
    await node.call("platform.issueTx", { tx: toHexText(tx.bytes) })
  },
  async "dev.setAutoRenewedConfig"(node) {
    await node.call("dev.addValidators", { count: 1, autoRenew: { period: 1_209_600 } })
  },
}

/** Methods that need an L1 with its VM, or a validator of it. The tests in test/l1 call them. */
const ofL1s: readonly string[] = [
  ...["dev.startL1", "dev.stopL1", "dev.removeL1"],
  ...["dev.issueL1Message", "dev.disableL1Validator", "dev.relay", "dev.listMessages"],
]

const CUT = "…"

/** Replaces texts that an example shows shortened by the earlier answers in full. */
class Texts {
  readonly #seen: string[] = []

  /** Returns a value as the example shows it, with texts shortened in the same places. */
  shown(value: Json, example: Json): Json {
    if (typeof value === "string" && isCut(example)) {
      this.#seen.push(value)
      return value.slice(0, example.length - 1) + CUT
    }
    if (!isObject(value) || !isObject(example)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.shown(each, example[name] as Json)]))
  }

  /** An example's parameters in full. */
  full(params: Example["params"]): Json {
    const fullOf = (value: Json) =>
      isCut(value) ? (this.#seen.find((each) => each.startsWith(value.slice(0, -1))) ?? value) : value
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, fullOf(value)]))
  }
}

const isCut = (value: Json): value is string => typeof value === "string" && value.endsWith(CUT)
const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

test("the examples are true when they run one after the other with a frozen clock", async () => {
  const node = await startDevNode("contract", { producer: { startTime: START, isFrozen: true } })
  const texts = new Texts()
  try {
    for (const { name, examples } of devMethods.filter((each) => !ofL1s.includes(each.name))) {
      await before[name]?.(node)
      for (const { params, result } of examples) {
        const answer = await node.call(name, texts.full(params))
        expect([name, texts.shown(answer, result)]).toEqual([name, result])
      }
    }
  } finally {
    await node.stop()
  }
})

test("every method has an example", () => {
  expect(devMethods.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
})
