import { describe, expect, test } from "vitest"
import type { Json } from "../../src/core/lib/json.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip } from "../fixtures/readModel.js"
import { type TestAnswer, type TestNode, testNode } from "../fixtures/rpcNode.js"
import { readRecording } from "../recordings/recordings.js"

interface Call {
  readonly method: string
  readonly params: { readonly [name: string]: Json }
  readonly body: TestAnswer
}

type Members = { readonly [name: string]: Json }

describe.each(goldenChains)("%s", (folder) => {
  const { store, rules, genesis } = goldenTip(folder)
  const node = testNode({ store, rules, genesis, methods: platformMethods })
  const { calls } = readRecording<{ calls: readonly Call[] }>(`golden/${folder}/record.json`)
  const asked = calls.filter(({ method }) => platformMethods.some(({ name }) => name === method))
  const names = [...new Set(asked.map(({ method }) => method))]

  test.each(names)("%s answers as AvalancheGo did", async (name) => {
    for (const call of asked.filter(({ method }) => method === name)) {
      if (differsByNature(call, folder)) continue
      const { result, error } = await node.call(call.method, call.params)
      const got = { params: call.params, result: comparable(call, result), error: blanked(error) }
      const recorded = { params: call.params, result: comparable(call, call.body.result), error: blanked(call.body.error) }
      expect(got).toEqual(withRecordedMembers(recorded, got))
    }
  })

  const samples = asked.filter(({ method }) => method === "platform.sampleValidators")
  if (samples.length > 0)
    test("a sample has the requested size and contains only current validators", async () => {
      for (const { method, params, body } of samples) {
        const { result, error } = await node.call(method, params)
        expect(error).toEqual(body.error)
        if (error) continue
        const { validators: drawn } = result as { validators: string[] }
        expect(drawn.length).toBe((body.result as { validators: string[] }).validators.length)
        const { result: now } = await node.call("platform.getValidatorsAt", { ...params, height: Number(await heightOf(node)) })
        const known = new Set(Object.keys(now as Members))
        expect(drawn.filter((nodeID) => !known.has(nodeID))).toEqual([])
      }
    })

  test("all pages of UTXOs together equal AvalancheGo's pages together", async () => {
    const unlimited = asked.filter(({ method, params, body }) => method === "platform.getUTXOs" && body.result && !params.limit)
    for (const { params, body } of unlimited) {
      if (params.sourceChain || params.encoding) continue
      for (const limit of [1, 2, 3]) {
        const { utxos } = body.result as { utxos: string[] }
        const paged = await allPages(node, params, limit)
        expect(paged).toEqual([...new Set(paged)])
        expect([...paged].sort()).toEqual([...utxos].sort())
      }
    }
  })
})

async function heightOf(node: TestNode): Promise<string> {
  return ((await node.call("platform.getHeight")).result as { height: string }).height
}

async function allPages(node: TestNode, params: Members, limit: number): Promise<string[]> {
  const all: string[] = []
  for (let startIndex: Json | undefined; ; ) {
    const { result } = await node.call("platform.getUTXOs", { ...params, limit, ...(startIndex ? { startIndex } : {}) })
    const { utxos, endIndex } = result as { utxos: string[]; endIndex: Json }
    all.push(...utxos)
    if (utxos.length < limit) return all
    startIndex = endIndex
  }
}

/** Parts of answers that cannot be compared, according to golden/README.md. */
function differsByNature({ method, params, body }: Call, folder: string): boolean {
  switch (method) {
    case "platform.sampleValidators":
    case "platform.getProposedHeight":
      return true
    case "platform.getValidatorsAt":
      return params.height === "proposed" || (body.error !== undefined && folder === "local-v1.13.0")
    case "platform.getBlockchainStatus":
      return body.result !== undefined && (body.result as { status: string }).status !== "Created"
    case "platform.issueTx":
      return String(params.tx ?? "").length > 100
    case "platform.getUTXOs":
      // Single pages depend on the order. UTXOs that could be imported from the X-Chain are in no block of the P-Chain.
      return params.limit !== undefined || (params.sourceChain !== undefined && (body.result as Members)?.numFetched !== "0")
    default:
      return false
  }
}

/** Members whose order depends on the earlier reads of the recording node. */
const unordered: Readonly<Record<string, readonly string[]>> = {
  "platform.getUTXOs": ["utxos"],
  "platform.getBalance": ["utxoIDs"],
  "platform.getSubnets": ["subnets"],
  "platform.getBlockchains": ["blockchains"],
  "platform.validates": ["blockchainIDs"],
}

function comparable({ method, params }: Call, result: Json | undefined): Json | undefined {
  if (result === undefined) return undefined
  const out: Record<string, Json> = { ...(result as Members) }
  for (const name of unordered[method] ?? []) out[name] = sorted(out[name] as Json)
  if (method === "platform.getUTXOs" && out.numFetched !== "0") out.endIndex = (out.endIndex as Members).address as Json
  if (method === "platform.getCurrentValidators") {
    const records = (out.validators as readonly Members[]).map(({ uptime: _, connected: __, ...record }) => record)
    out.validators = params.nodeIDs ? sorted(records) : records
  }
  return out
}

const textOf = (value: Json) => JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `${each}` : each))

function sorted(list: Json): Json {
  return list === null ? null : [...(list as readonly Json[])].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

/** The UTXO that could not be encoded is the first, which depends on the order. */
function blanked(error: TestAnswer["error"]) {
  return error && { ...error, message: error.message.replace(/couldn't encode (UTXO|output) \w+ as/, "couldn't encode $1 … as") }
}

/** v1.14.2 no longer prints a validator's `rewardOwner`; ours does, and is compared with the recording of v1.13.0. */
function withRecordedMembers<T extends { result: Json | undefined }>(recorded: T, got: T): T {
  const [was, is] = [recorded.result, got.result].map(
    (each) => (each as { validators?: readonly Members[] } | undefined)?.validators,
  )
  if (!Array.isArray(was) || !Array.isArray(is)) return recorded
  const validators = was.map((record: Members, i) => {
    const owner = (is[i] as Members | undefined)?.rewardOwner
    return "rewardOwner" in record || owner === undefined || !("validationRewardOwner" in record)
      ? record
      : { ...record, rewardOwner: owner }
  })
  return { ...recorded, result: { ...(recorded.result as Members), validators } }
}
