import { afterAll, expect, test } from "vitest"
import { producerError } from "../../../src/producer/errors.js"
import { devError } from "../../../src/producer/methods/errors.js"
import { answersAreAsExpected } from "../methods/checks/answers.js"
import { type Case, categories, type Table } from "../methods/table.js"
import { l1Cases } from "./cases/l1.js"
import { moneyCases } from "./cases/money.js"
import { pastCases } from "./cases/past.js"
import { timeCases } from "./cases/time.js"
import { txCases } from "./cases/txs.js"
import { validatorCases } from "./cases/validators.js"
import { openDevFixture } from "./fixture.js"

const facts = await openDevFixture()
afterAll(async () => {
  for (const node of Object.values(facts.nodes)) await node.stop()
})

const table: Table = {
  ...timeCases(facts),
  ...pastCases(),
  ...moneyCases(),
  ...validatorCases(facts),
  ...l1Cases(facts),
  ...txCases(facts),
}
answersAreAsExpected(facts, table)

interface MethodDescription {
  readonly name: string
  readonly params: readonly { readonly name: string }[]
}

const { methods } = await facts.nodes.contract.call<{ methods: readonly MethodDescription[] }>("rpc.discover")
const described = methods.filter(({ name }) => name.startsWith("dev."))
const casesOf = (name: string): readonly Case[] => categories.flatMap((category) => table[name]?.[category] ?? [])

test("every dev method that the node describes has its cases, and no other", () => {
  expect(described.length).toBe(38)
  expect(Object.keys(table).sort()).toEqual(described.map(({ name }) => name).sort())
})

test("the cases use every parameter, and call every method without parameters", () => {
  for (const { name, params } of described) {
    const names = params.map((param) => param.name)
    const given = casesOf(name).map((each) => Object.keys((each.params ?? {}) as object))
    expect([name, Object.keys(table[name]!.takes)]).toEqual([name, names])
    expect([name, names.filter((param) => !given.some((each) => each.includes(param)))]).toEqual([name, []])
    // A wait without parameters takes ten seconds under AvalancheGo's dialect.
    if (name !== "dev.waitForTx") expect([name, given.some((each) => each.length === 0)]).toEqual([name, true])
  }
})

/** Error codes that other tests cover, since no call of a running node can cause them here. */
const elsewhere = [
  // src/producer/l1.test.ts, with --warp-lag.
  "producer.signers_too_new",
  // When a node starts: src/producer/privateChain.test.ts, src/producer/keys/phrase.test.ts.
  ...["producer.bad_checksum", "producer.bad_mnemonic", "producer.too_many_accounts"],
  // src/producer/snapshots/stateFile.test.ts
  "producer.c_chain_took_part",
  ...[
    "producer.frozen_without_gas",
    "producer.funds_wait",
    "producer.start_too_early",
    "producer.unaffordable_accounts",
    "producer.unknown_word",
  ],
  // With other rules, other networks, or more than a gigabyte: src/producer, stories.test.ts.
  ...["dev.state_too_large", "producer.other_dump", "producer.too_little_gas"],
  // With a VM plugin: test/l1.
  ...["dev.hosts_l1s", "dev.online_or_offline"],
  // Answers to issuers: src/producer/snapshots/snapshots.test.ts, src/producer/privateChain.test.ts.
  ...["producer.dropped", "producer.reverted", "producer.stopped"],
]

test("every error code of dev and of the producer occurs in a case", () => {
  const met = new Set(
    described
      .flatMap(({ name }) => casesOf(name))
      .map(({ contract }) => (contract.error?.data as { code?: string } | undefined)?.code),
  )
  const codes = [...Object.keys(devError.list), ...Object.keys(producerError.list)]
  expect(codes.filter((code) => !met.has(code)).sort()).toEqual(elsewhere.sort())
})
