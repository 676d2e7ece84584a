import { printRfc3339 } from "../../../../src/core/lib/go/rfc3339.js"
import { version } from "../../../../src/node/version.js"
import { C_CHAIN, EMPTY, type MethodsFixture, NOWHERE, X_CHAIN } from "../fixture.js"
import { both, type Case, differ, missing, refusalText, refused, type Table } from "../table.js"
import { DURANGO, GRANITE } from "../when.js"

/** Cases of the node itself and of its network. */
export function infoCases(facts: MethodsFixture): Table {
  return { ...nodeCases(facts), ...networkCases(), ...chainCases(), ...uptimeCases(facts) }
}

function nodeCases({ locals }: MethodsFixture): Table {
  const { nodeID, signer: nodePOP } = locals[0]!
  const versions = { databaseVersion: "v1.4.5", rpcProtocolVersion: "46", gitCommit: "" }
  // Without peers the whole weight of the primary network abstains.
  const abstaining = { supportWeight: "0", supporters: [], objectWeight: "0", objectors: [], abstainWeight: "10004125000000000" }
  const acps = Object.fromEntries([194, 224, 236, 247, 267, 273, 283, 285].map((acp) => [acp, abstaining]))
  const called = (program: string) => ({ version: program, ...versions, vmVersions: { platform: program } })
  const before = [
    { name: "platform", path: "/ext/bc/P" },
    { name: "info", path: "/ext/info" },
    { name: "keystore", path: "/ext/keystore" },
    { name: "avm", path: "/ext/bc/X" },
    { name: "proposervm", path: "/ext/bc/P/proposervm" },
    { name: "dev", path: "/ext/dev" },
  ]
  // AvalancheGo has these only where a flag asks for them.
  const tools = [
    { name: "index", path: "/ext/index/P/block" },
    { name: "admin", path: "/ext/admin" },
  ]
  const after = [{ name: "health", path: "/ext/health" }]
  return {
    "info.getNodeID": { takes: {}, normal: [both(undefined, { nodeID, nodePOP })] },
    "info.getNodeIP": { takes: {}, normal: [both(undefined, { ip: "127.0.0.1:9651" })] },
    "info.getNodeVersion": {
      takes: {},
      normal: [differ(undefined, called(`serac/${version}`), called("avalanchego/1.15.0"))],
    },
    "info.getVMs": {
      takes: {},
      normal: [
        both(undefined, {
          vms: { rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: ["platform"] },
          fxs: { spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ: "secp256k1fx" },
        }),
      ],
    },
    "info.getServices": {
      takes: {},
      normal: [differ(undefined, { services: [...before, ...tools, ...after] }, { services: [...before, ...after] })],
    },
    "info.acps": { takes: {}, normal: [both(undefined, { acps })] },
    "info.peers": {
      takes: { nodeIDs: "NodeIDs" },
      normal: [both({ nodeIDs: [nodeID] }, { numPeers: "0", peers: [] })],
      // A client that means another method sends it a chain.
      "all parameters": [both({ nodeIDs: [nodeID, nodeID], chain: "X" }, { numPeers: "0", peers: [] })],
      "omitted parameters": [both({}, { numPeers: "0", peers: [] }), both(undefined, { numPeers: "0", peers: [] })],
    },
  }
}

function networkCases(): Table {
  const early = "2020-12-05T05:00:00Z"
  const [durango, granite] = [printRfc3339(DURANGO), printRfc3339(GRANITE)]
  const apricot = ["1", "2", "3", "4", "5", "Pre6", "6", "Post6"].map((phase) => [`apricotPhase${phase}Time`, early])
  return {
    "info.getNetworkID": { takes: {}, normal: [both(undefined, { networkID: "12345" })] },
    "info.getNetworkName": { takes: {}, normal: [both(undefined, { networkName: "local" })] },
    "info.getTxFee": {
      takes: {},
      normal: [
        both(undefined, {
          ...{ txFee: "1000000", createAssetTxFee: "1000000", createSubnetTxFee: "100000000" },
          ...{ transformSubnetTxFee: "100000000", createBlockchainTxFee: "100000000" },
          ...{ addPrimaryNetworkValidatorFee: "0", addPrimaryNetworkDelegatorFee: "0" },
          ...{ addSubnetValidatorFee: "1000000", addSubnetDelegatorFee: "1000000" },
        }),
      ],
    },
    "info.upgrades": {
      takes: {},
      normal: [
        both(undefined, {
          ...Object.fromEntries(apricot),
          ...{ apricotPhase4MinPChainHeight: 0, banffTime: early, cortinaTime: early, cortinaXChainStopVertexID: EMPTY },
          ...{ durangoTime: durango, etnaTime: granite, fortunaTime: granite },
          // D34: what v1.13.0 did not know yet.
          ...{ graniteTime: granite, graniteEpochDuration: 30_000_000_000, heliconTime: "9999-12-01T00:00:00Z" },
        }),
      ],
    },
  }
}

function chainCases(): Table {
  const chains = { [EMPTY]: ["P", "platform"], [X_CHAIN]: ["X", "avm"], [C_CHAIN]: ["C", "evm"] }
  const all = Object.entries(chains).flatMap(([id, names]) => [id, ...names].map((name) => ({ id, name })))
  const strange = ["nope", "p", "x", " P", NOWHERE, "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm"]
  const unknown = (alias: string): Case =>
    refused({ alias }, "network.unknown_alias", alias === "" ? {} : { alias }, `there is no ID with alias: ${alias}`)
  return {
    "info.getBlockchainID": {
      takes: { alias: "string" },
      normal: all.map(({ id, name }) => both({ alias: name }, { blockchainID: id })),
      "all parameters": [both({ alias: "P" }, { blockchainID: EMPTY })],
      "omitted parameters": [missing("alias", refusalText("there is no ID with alias: "))],
      errors: ["", ...strange].map(unknown),
    },
    "info.isBootstrapped": {
      takes: { chain: "string" },
      // This node runs the P-Chain alone.
      normal: all.map(({ id, name }) => both({ chain: name }, { isBootstrapped: id === EMPTY })),
      "all parameters": [both({ chain: "P" }, { isBootstrapped: true })],
      "omitted parameters": [
        missing("chain", refusalText("argument 'chain' not given")),
        missing("chain", refusalText("argument 'chain' not given"), { chain: null }),
      ],
      errors: [
        refused({ chain: "" }, "info.no_chain_given", {}, "argument 'chain' not given"),
        ...strange.map((chain) =>
          refused({ chain }, "info.unknown_chain", { chain }, `there is no chain with alias/ID '${chain}'`),
        ),
      ],
    },
  }
}

function uptimeCases({ id }: MethodsFixture): Table {
  const of = (rewarding: string, average: string) => ({ rewardingStakePercentage: rewarding, weightedAveragePercentage: average })
  const primary = of("100.0000", "100.0000")
  // D7: AvalancheGo has no such parameter.
  const elsewhere = (subnetID: string) => ({
    ...refused({ subnetID }, "info.not_a_validator", {}, ""),
    avalanchego: { result: primary },
  })
  return {
    "info.uptime": {
      takes: { subnetID: "contractID" },
      normal: [both({ subnetID: EMPTY }, primary)],
      "all parameters": [differ({ subnetID: id("subnet") }, of("100.0000", "100.0000"), primary)],
      "omitted parameters": [both({}, primary), both(undefined, primary)],
      errors: [elsewhere(id("open")), elsewhere(NOWHERE)],
    },
  }
}
