import { afterEach, describe, expect, test } from "vitest"
import { localStakers } from "../../src/core/genesis/localStakers.js"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { networkFor } from "../../src/core/networks/index.js"
import { FUJI_ID, MAINNET_ID } from "../../src/core/networks/names.js"
import { upTo } from "../../src/core/networks/upgrades.js"
import { Diff } from "../../src/core/state/diff.js"
import { addWeight } from "../../src/core/state/members.js"
import { type ID, idText, type NodeID } from "../../src/core/types/id.js"
import { type NodeApiOptions, openApi } from "../../src/node/api.js"
import { localIdentity } from "../../src/node/identity/identity.js"
import type { NodePort } from "../../src/services/context.js"
import { infoMethods } from "../../src/services/info/index.js"
import { fakeNode, localChain, post, serve, type TestServer } from "../fixtures/api.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip } from "../fixtures/readModel.js"
import { recordedCalls } from "../fixtures/recordedAnswers.js"

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

const allConnected: NodePort["uptimeOf"] = () => ({ connected: true, uptime: 1 })
const identity = { ...localIdentity(0), ip: "" }
/** The chain that no test changes. */
const local = localChain()

interface Changes {
  readonly port?: Partial<NodePort>
  readonly api?: Partial<NodeApiOptions>
}

/** A server over the local network's genesis, of which it is the first validator. */
async function open({ port = {}, api = {} }: Changes = {}): Promise<TestServer> {
  const { store, rules, facts } = local
  const node = fakeNode({ genesis: facts, identity, uptimeOf: allConnected, ...port })
  const options = { dialect: "contract", rules, node, snapshot: () => store.view(), meta: store, isPublic: false } as const
  const server = await serve(openApi({ ...options, isReady: () => true, ...api }))
  servers.push(server)
  return server
}

interface Answer {
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string; readonly data: Json }
}

async function ask(server: TestServer, method: string, params: Json = {}): Promise<Answer> {
  const { body } = await post(server, "/ext/info", printJson({ jsonrpc: "2.0", id: 1, method: `info.${method}`, params }))
  const { result, error } = parseJson(body) as Answer
  return error === undefined ? { result: result as Json } : { error }
}

describe.each(["contract", "avalanchego"] as const)("under the dialect %s", (dialect) => {
  test.each(infoMethods)("the examples of $name are true", async ({ name, examples }) => {
    const server = await open({ api: { dialect } })
    for (const { params, result } of examples) {
      expect(await ask(server, name.slice("info.".length), params)).toEqual({ result })
      if (Object.keys(params).length === 0) expect(await ask(server, name.slice("info.".length), [])).toEqual({ result })
    }
  })

  test("methods about the node itself are refused on a public server before their parameters are read", async () => {
    const server = await open({ api: { dialect, isPublic: true } })
    for (const name of ["getNodeID", "getNodeIP", "getVMs"]) {
      const { error } = await ask(server, name, 5)
      expect([name, error?.code]).toEqual([name, dialect === "contract" ? -32601 : -32000])
    }
    for (const name of ["peers", "uptime", "upgrades", "acps", "getNodeVersion"]) {
      expect([name, (await ask(server, name)).error]).toEqual([name, undefined])
    }
  })
})

test("a public server reveals neither its stake nor whether it validates", async () => {
  const answersOf = async (nodeID: NodeID) => {
    const port = { hidesIdentity: true, identity: { ...identity, nodeID }, uptimeOf: () => undefined }
    const server = await open({ port, api: { isPublic: true } })
    const status = { jsonrpc: "2.0", id: 1, method: "platform.getBlockchainStatus", params: { blockchainID: "P" } }
    return [await ask(server, "uptime"), (await post(server, "/ext/bc/P", printJson(status))).body]
  }
  const [uptime, status] = await answersOf(identity.nodeID)
  expect(uptime).toEqual({ result: { rewardingStakePercentage: "0.0000", weightedAveragePercentage: "0.0000" } })
  expect(status).toContain('"status":"Syncing"')
  expect(await answersOf("00".repeat(20) as NodeID)).toEqual([uptime, status])
})

describe("uptime", () => {
  const [, second] = localStakers
  const uptimes = (ofThis: number, connected: (nodeID: NodeID) => boolean): Partial<NodePort> => ({
    uptimeOf: (nodeID) => ({ connected: connected(nodeID), uptime: nodeID === identity.nodeID ? ofThis : 1 }),
  })

  test.each<[string, Partial<NodePort>, string, string]>([
    ["all saw it all the time", uptimes(1, () => true), "100.0000", "100.0000"],
    ["nobody is connected", uptimes(1, () => false), "20.0000", "20.0000"],
    ["nobody knows", { uptimeOf: () => undefined }, "20.0000", "20.0000"],
    ["one is not connected", uptimes(1, (nodeID) => nodeID !== second?.nodeID), "80.0000", "80.0000"],
    ["just enough for a reward", uptimes(0.8, () => true), "100.0000", "84.0000"],
    ["not enough for a reward", uptimes(0.799, () => true), "20.0000", "83.2000"],
  ])("%s", async (_, port, rewardingStakePercentage, weightedAveragePercentage) => {
    const expected = { result: { rewardingStakePercentage, weightedAveragePercentage } }
    expect(await ask(await open({ port }), "uptime")).toEqual(expected)
    expect(await ask(await open({ port, api: { dialect: "avalanchego" } }), "uptime", { subnetID: 5 })).toEqual(expected)
  })

  test("a node that began to validate after Helicon needs 90 percent", async () => {
    const { rules } = localChain()
    const api = { rules: { ...rules, upgrades: upTo("helicon") } }
    const rewarding = async (share: number) => (await ask(await open({ port: uptimes(share, () => true), api }), "uptime")).result
    expect(await rewarding(0.9)).toEqual({ rewardingStakePercentage: "100.0000", weightedAveragePercentage: "92.0000" })
    expect(await rewarding(0.899)).toEqual({ rewardingStakePercentage: "20.0000", weightedAveragePercentage: "91.2000" })
  })

  test("a node that does not validate the network has no uptime", async () => {
    const port = { identity: { ...identity, nodeID: "77".repeat(20) as NodeID } }
    expect((await ask(await open({ port }), "uptime")).error).toMatchObject({ data: { code: "info.not_a_validator" } })
    expect((await ask(await open({ port, api: { dialect: "avalanchego" } }), "uptime")).error).toEqual({
      code: -32000,
      message: "couldn't get node uptime: node is not a validator",
      data: null,
    })
  })

  test("in the contract's dialect the uptime of a subnet comes from the validators of that subnet", async () => {
    const { store, rules, facts } = localChain()
    const subnetID = "51".repeat(32) as ID
    const diff = new Diff(store.latest)
    addWeight(diff, { subnetID, nodeID: identity.nodeID }, 1n, undefined)
    addWeight(diff, { subnetID, nodeID: second?.nodeID as NodeID }, 3n, undefined)
    store.commit(diff.edits)
    const node = fakeNode({ genesis: facts, identity, ...uptimes(0.5, () => true) })
    const server = await open({ api: { rules, node, snapshot: () => store.view() } })
    expect(await ask(server, "uptime", { subnetID: idText(subnetID) })).toEqual({
      result: { rewardingStakePercentage: "25.0000", weightedAveragePercentage: "62.5000" },
    })
    const elsewhere = await ask(server, "uptime", { subnetID: "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm" })
    expect(elsewhere.error).toMatchObject({ data: { code: "info.not_a_validator" } })
  })
})

test.each([
  [MAINNET_ID, "mainnet", "10000000", "1000000000", "10000000000", "1000000000"],
  [FUJI_ID, "fuji", "10000000", "100000000", "1000000000", "100000000"],
  [424242, "network-424242", "1000000", "100000000", "100000000", "100000000"],
])("network %s has its name and its fees", async (networkID, networkName, asset, subnet, transform, blockchain) => {
  const { rules, facts } = localChain()
  const { params, upgrades } = networkFor(networkID)
  const node = fakeNode({ genesis: facts, identity, networkID })
  const server = await open({ api: { rules: { ...rules, params, upgrades }, node } })
  expect(await ask(server, "getNetworkName")).toEqual({ result: { networkName } })
  expect(await ask(server, "getNetworkID")).toEqual({ result: { networkID: String(networkID) } })
  expect((await ask(server, "getTxFee")).result).toEqual({
    txFee: "1000000",
    createAssetTxFee: asset,
    createSubnetTxFee: subnet,
    transformSubnetTxFee: transform,
    createBlockchainTxFee: blockchain,
    addPrimaryNetworkValidatorFee: "0",
    addPrimaryNetworkDelegatorFee: "0",
    addSubnetValidatorFee: "1000000",
    addSubnetDelegatorFee: "1000000",
  })
})

test("Mainnet's upgrades are shown with their times", async () => {
  const { rules } = localChain()
  const { params, upgrades } = networkFor(MAINNET_ID)
  const server = await open({ api: { rules: { ...rules, params, upgrades } } })
  expect((await ask(server, "upgrades")).result).toEqual({
    apricotPhase1Time: "2021-03-31T14:00:00Z",
    apricotPhase2Time: "2021-05-10T11:00:00Z",
    apricotPhase3Time: "2021-08-24T14:00:00Z",
    apricotPhase4Time: "2021-09-22T21:00:00Z",
    apricotPhase4MinPChainHeight: 793005,
    apricotPhase5Time: "2021-12-02T18:00:00Z",
    apricotPhasePre6Time: "2022-09-05T01:30:00Z",
    apricotPhase6Time: "2022-09-06T20:00:00Z",
    apricotPhasePost6Time: "2022-09-07T03:00:00Z",
    banffTime: "2022-10-18T16:00:00Z",
    cortinaTime: "2023-04-25T15:00:00Z",
    cortinaXChainStopVertexID: "jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga",
    durangoTime: "2024-03-06T16:00:00Z",
    etnaTime: "2024-12-16T17:00:00Z",
    fortunaTime: "2025-04-08T15:00:00Z",
    graniteTime: "2025-11-19T16:00:00Z",
    graniteEpochDuration: 300_000_000_000,
    heliconTime: "2026-09-22T15:00:00Z",
  })
})

test("info.getNodeVersion shows the claimed version in every member", async () => {
  const version = {
    name: "avalanchego",
    version: "1.15.0",
    databaseVersion: "v1.4.5",
    rpcProtocolVersion: 46,
    gitCommit: "abc",
  }
  expect(await ask(await open({ port: { version } }), "getNodeVersion")).toEqual({
    result: {
      version: "avalanchego/1.15.0",
      databaseVersion: "v1.4.5",
      rpcProtocolVersion: "46",
      gitCommit: "abc",
      vmVersions: { platform: "avalanchego/1.15.0" },
    },
  })
})

/** Members that belong to the recorded node or its peers. */
const ofThatNode = ["acps", "getNodeIP", "getNodeVersion", "getVMs", "peers", "uptime"].map((name) => `info.${name}`)

describe.each(goldenChains)("%s", (folder) => {
  test("the recorded calls are answered as AvalancheGo answered them", async () => {
    const { rules, store, genesis } = goldenTip(folder)
    const asked = recordedCalls(folder).filter(({ path, method }) => path === "/ext/info" && !ofThatNode.includes(method))
    const { xChainID, cChainID, avaxAssetID } = genesis
    const node = fakeNode({ networkID: rules.networkID, genesis: { xChainID, cChainID, avaxAssetID }, identity })
    const server = await open({ api: { dialect: "avalanchego", rules, node, snapshot: () => store.view() } })
    for (const { method, params, body } of asked) {
      // Chains that we do not run.
      if (method === "info.isBootstrapped" && ["X", "C"].includes(String(params.chain))) continue
      const { result, error } = await ask(server, method.slice("info.".length), params)
      const recorded = { method, params, error: body.error, result: body.result }
      // v1.13.0 does not know the latest upgrades: only its own members are compared.
      const known = Object.keys(body.result ?? {})
      const knownPart = result && Object.fromEntries(known.map((name) => [name, (result as Record<string, Json>)[name]]))
      expect({ method, params, error, result: knownPart }).toEqual(recorded)
    }
    expect(asked.length).toBeGreaterThan(3)
  })
})
