import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { decodeGenesis } from "../../src/core/genesis/genesis.js"
import { valueOrInvalid } from "../../src/core/lib/invalid.js"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { atomicEdits } from "../../src/sync/atomicFile.js"
import type { RawEntry } from "../../src/sync/blockEntry.js"
import { replay } from "../../src/sync/replay.js"
import { digestOf } from "../../src/tools/summary.js"
import { goldenSource, openGolden, timeOf } from "../fixtures/goldenChain.js"
import { readRecording } from "../recordings/recordings.js"

interface Record {
  readonly blocks: readonly string[]
  readonly containers: readonly { readonly bytes: string }[]
  readonly facts: { readonly atomicUTXOs: readonly string[] }
}

/** The machine's clock, Unix milliseconds: after every recorded block. */
const now = () => 2 ** 41

type Digests = { readonly [height: string]: Json }

const { digests: ours } = parseJson(readFileSync(new URL("digests.json", import.meta.url), "utf8")) as {
  readonly digests: { readonly [chain: string]: Digests }
}

async function* entriesOf(texts: readonly string[]): AsyncIterable<RawEntry> {
  for (const [i, text] of texts.entries()) yield { text, place: i }
}

/** By chain, then by height. Helicon's chain comes with its own, made by v1.15.0, from genesis on. */
const digests: { readonly [chain: string]: Digests } = {
  ...ours,
  "helicon-v1.15.0": withoutGenesis(readRecording<readonly Json[]>("golden/helicon-v1.15.0/digests.json")),
}

function withoutGenesis(list: readonly Json[]): Digests {
  return Object.fromEntries([...list.entries()].slice(1))
}

describe.each(Object.keys(digests))("the recorded chain %s", (name) => {
  const record = readRecording<Record>(`golden/${name}/record.json`)
  const heights = Object.keys(digests[name] as object)
    .map(BigInt)
    .sort((a, b) => (a < b ? -1 : 1))

  test("wrapped, with imports checked, has at every height the state that AvalancheGo's own VM computes", async () => {
    const { store, rules } = openGolden(goldenSource(name))
    const genesis = decodeGenesis(store.getMeta("genesis") ?? new Uint8Array(0))
    store.commit(atomicEdits(record.facts.atomicUTXOs.join("\n"), genesis, store.latest))
    const containers = record.containers.map(({ bytes }) => bytes)
    for (const until of heights) {
      const outer = new OuterChain(new Chain({ rules, state: store, checksImports: true }))
      // Continues after the last accepted block.
      await replay(entriesOf(containers.slice(Number(outer.lastAccepted.height))), outer, { now, until })
      expect(printJson(digestOf(store.latest)), `height ${until}`).toBe(printJson(digests[name]?.[String(until)]))
    }
  })

  test("without wrappers ends in the same state, from its genesis block on, also when signatures are not verified", async () => {
    const tip = digests[name]?.[String(heights.at(-1))]
    for (const trustSignatures of [false, true]) {
      const { store, rules } = openGolden(goldenSource(name))
      const outer = new OuterChain(new Chain({ rules, state: store, trustSignatures }))
      const done = await replay(entriesOf(record.blocks), outer, { now })
      expect(done).toEqual({ executed: record.blocks.length - 1, skipped: 1 })
      expect(printJson(digestOf(store.latest))).toBe(printJson(tip))
    }
  })

  test("ends in the same state if blocks are verified while up to three before them are undecided", () => {
    const { store, rules, blocks } = openGolden(goldenSource(name))
    const chain = new Chain({ rules, state: store, trustSignatures: true })
    const undecided: Block[] = []
    const acceptOldest = () => {
      chain.accept((undecided.shift() as Block).id)
      chain.flush()
    }
    let now = 0n
    for (const block of blocks.slice(1)) {
      now = timeOf(block) ?? now
      const verify = () => valueOrInvalid(() => chain.verify(block, { now }))
      let refusal = verify()
      // Warp messages are verified against the last accepted state.
      for (; refusal && undecided.length > 0; refusal = verify()) acceptOldest()
      expect(refusal).toBeUndefined()
      undecided.push(block)
      if (undecided.length > 3) acceptOldest()
    }
    while (undecided.length > 0) acceptOldest()
    expect(printJson(digestOf(store.latest))).toBe(printJson(digests[name]?.[String(heights.at(-1))]))
  })

  test("is refused at the first block whose parent is not the last accepted block", async () => {
    const { store, rules } = openGolden(goldenSource(name))
    const outer = new OuterChain(new Chain({ rules, state: store }))
    const gap = [...record.blocks.slice(0, 3), ...record.blocks.slice(4)]
    await expect(replay(entriesOf(gap), outer, { now })).rejects.toMatchObject({
      code: "sync.gap",
      data: { height: 4n, lastHeight: 2n },
    })
    expect(outer.chain.lastAccepted.height).toBe(2n)
  })
})
