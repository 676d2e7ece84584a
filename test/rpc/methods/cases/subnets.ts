import { expect } from "vitest"
import { C_CHAIN, EMPTY, FRIEND, type MethodsFixture, NOWHERE, ownerJson, PAYER, X_CHAIN } from "../fixture.js"
import { after, both, type Case, differ, missing, refusal, refusalText, refused, type Table } from "../table.js"

const SUBNET_EVM = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"

/** Cases of the methods about subnets and their chains. */
export function subnetCases(facts: MethodsFixture): Table {
  return { ...singleCases(facts), ...listCases(facts), ...chainCases(facts), ...l1Cases(facts) }
}

function singleCases({ id }: MethodsFixture): Table {
  const permissioned = {
    ...{ isPermissioned: true, controlKeys: [FRIEND, PAYER], threshold: "1", locktime: "0" },
    ...{ subnetTransformationTxID: EMPTY, conversionID: EMPTY, managerChainID: EMPTY, managerAddress: null },
  }
  const owned = { ...permissioned, isPermissioned: false, controlKeys: [PAYER] }
  const manager = { managerChainID: id("manager"), managerAddress: "0xc0ffee" }
  const converted = { ...owned, conversionID: "2jddbTbF9g8pSZi7Sbwr265JDJ5FA9XFtWFzyNvGngV5UmsGtq", ...manager }
  const opened = { ...owned, subnetTransformationTxID: id("transformation") }
  // D15: a subnet whose owner lost its rights shows no control keys.
  const withoutKeys = { controlKeys: [], threshold: "0", owner: ownerJson(PAYER) }
  const other = id("payment")
  return {
    "platform.getSubnet": {
      takes: { subnetID: "ID" },
      normal: [both({ subnetID: id("subnet") }, permissioned)],
      "all parameters": [
        differ({ subnetID: id("open") }, { ...opened, ...withoutKeys }, opened),
        differ({ subnetID: id("l1") }, { ...converted, ...withoutKeys }, converted),
      ],
      // D25
      "omitted parameters": [missing("subnetID", refusalText("the primary network isn't a subnet"))],
      errors: [
        refused({ subnetID: EMPTY }, "platform.primary_network", {}, "the primary network isn't a subnet"),
        refused({ subnetID: NOWHERE }, "platform.unknown_subnet", { subnetID: NOWHERE }, "not found"),
        refused({ subnetID: other }, "platform.not_a_subnet", { subnetID: other }, `"${other}" is not a subnet`),
      ],
    },
  }
}

function listCases({ id }: MethodsFixture): Table {
  const none = { controlKeys: [], threshold: "0" }
  const subnet = { id: id("subnet"), controlKeys: [FRIEND, PAYER], threshold: "1" }
  const primary = { id: EMPTY, ...none }
  const [open, l1] = [id("open"), id("l1")]
  const ours = { open: { id: open, ...none, owner: ownerJson(PAYER) }, l1: { id: l1, ...none, owner: ownerJson(PAYER) } }
  // AvalancheGo hides the owner of a transformed subnet here, and shows that of a converted one.
  const theirs = { open: { id: open, ...none }, l1: { id: l1, controlKeys: [PAYER], threshold: "1" } }
  const listed = (params: Case["params"]) =>
    differ(params, { subnets: [subnet, ours.open, ours.l1, primary] }, { subnets: [subnet, theirs.open, theirs.l1, primary] })
  const other = id("payment")
  return {
    "platform.getSubnets": {
      takes: { ids: "IDs" },
      normal: [listed(undefined)],
      "all parameters": [
        differ(
          { ids: [l1, id("subnet"), l1, EMPTY, NOWHERE, open] },
          { subnets: [ours.l1, subnet, primary, ours.open] },
          { subnets: [theirs.l1, subnet, primary, theirs.open] },
        ),
        // D16
        differ({ ids: [NOWHERE] }, { subnets: [] }, { subnets: null }),
      ],
      "omitted parameters": [listed({}), listed({ ids: [] }), listed({ ids: null })],
      errors: [refused({ ids: [other] }, "platform.not_a_subnet", { subnetID: other }, `"${other}" is not a subnet`)],
    },
    "platform.getBlockchains": {
      takes: {},
      normal: [
        both(undefined, {
          blockchains: [
            { id: id("blockchain"), name: "Small Chain", subnetID: id("subnet"), vmID: SUBNET_EVM },
            { id: id("manager"), name: "Manager", subnetID: l1, vmID: SUBNET_EVM },
            { id: X_CHAIN, name: "X-Chain", subnetID: EMPTY, vmID: "jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq" },
            { id: C_CHAIN, name: "C-Chain", subnetID: EMPTY, vmID: "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6" },
          ],
        }),
      ],
    },
  }
}

function chainCases({ id, unissued }: MethodsFixture): Table {
  const is = (status: string) => (blockchainID: string) => both({ blockchainID }, { status })
  const notGiven = { contract: refusal("platform.no_blockchain"), avalanchego: refusalText("argument 'blockchainID' not given") }
  const primary = { subnetID: EMPTY }
  const unknown = (asked: string) =>
    refused(
      { blockchainID: asked },
      "platform.unknown_blockchain",
      { blockchainID: asked },
      `problem retrieving blockchain "${asked}": not found`,
    )
  const waiting = unissued.chain
  const other = id("payment")
  return {
    "platform.getBlockchainStatus": {
      takes: { blockchainID: "string" },
      normal: [
        ...["P", "platform", EMPTY].map(is("Validating")),
        ...["X", "avm", X_CHAIN, "C", "evm", C_CHAIN].map(is("Created")),
      ],
      "all parameters": [
        ...[id("blockchain"), id("manager")].map(is("Created")),
        ...[id("payment"), id("subnet"), NOWHERE].map(is("Unknown")),
        // A chain whose transaction waits for a block is not preferred yet.
        after(waiting.waits, is("Unknown")(waiting.id)),
      ],
      "omitted parameters": [{ params: {}, ...notGiven }, notGiven],
      errors: [
        { params: { blockchainID: "" }, ...notGiven },
        refused(
          { blockchainID: "nope" },
          "platform.bad_blockchain",
          { blockchainID: "nope", reason: "the text is too short to hold its checksum" },
          'problem parsing blockchainID "nope": input string is smaller than the checksum size',
        ),
      ],
    },
    "platform.validatedBy": {
      takes: { blockchainID: "ID" },
      normal: [both({ blockchainID: id("blockchain") }, { subnetID: id("subnet") })],
      "all parameters": [both({ blockchainID: X_CHAIN }, primary), both({ blockchainID: EMPTY }, primary)],
      "omitted parameters": [both({}, primary), both(undefined, primary)],
      errors: [
        unknown(NOWHERE),
        refused({ blockchainID: other }, "platform.not_a_blockchain", { blockchainID: other }, `"${other}" is not a blockchain`),
      ],
    },
    "platform.validates": {
      takes: { subnetID: "ID" },
      normal: [both({ subnetID: id("subnet") }, { blockchainIDs: [id("blockchain")] })],
      "all parameters": [both({ subnetID: id("open") }, { blockchainIDs: [] })],
      "omitted parameters": [
        both({}, { blockchainIDs: [X_CHAIN, C_CHAIN] }),
        both(undefined, { blockchainIDs: [X_CHAIN, C_CHAIN] }),
      ],
      errors: [
        refused(
          { subnetID: NOWHERE },
          "platform.unknown_subnet",
          { subnetID: NOWHERE },
          `problem retrieving subnet "${NOWHERE}": not found`,
        ),
        refused({ subnetID: other }, "platform.not_a_subnet", { subnetID: other }, `"${other}" is not a subnet`),
      ],
    },
  }
}

/** A refusal whose data depend on the time of the chain. */
function refusedWith(params: Case["params"] & object, code: string, names: readonly string[]): Case {
  const data = Object.fromEntries(names.map((name) => [name, expect.anything()]))
  const error = { code: -32000, message: expect.any(String), data: { code, ...data } }
  return { params, contract: { error }, avalanchego: { error: { ...error, data: null } } }
}

function l1Cases({ id, height }: MethodsFixture): Table {
  const [l1, subnet] = [id("l1"), id("subnet")]
  const until = "2124-01-01T00:00:00Z"
  const healthy = expect.objectContaining({ subnetID: l1, proposers: expect.objectContaining({ isKnown: false }) })
  const withProposers = expect.objectContaining({ subnetID: l1, proposers: expect.objectContaining({ isKnown: true }) })
  const l1Epoch = { pChainHeight: height, startTime: 1_700_000_000 }
  const listed = expect.objectContaining({ l1s: [expect.objectContaining({ subnetID: l1, managerChainID: id("manager") })] })
  return {
    "platform.getL1Health": {
      takes: { subnetID: "ID", height: "u64", until: "time", l1Epoch: "l1Epoch", sampleSize: "u16", alphaConfidence: "u16" },
      normal: [both({ subnetID: l1 }, healthy)],
      "all parameters": [
        both({ subnetID: l1, height, until: 1_900_000_000, l1Epoch, sampleSize: 10, alphaConfidence: 8 }, withProposers),
      ],
      "omitted parameters": [missing("subnetID", refusalText("the primary network isn't a subnet"))],
      errors: [
        refused({ subnetID: subnet }, "platform.not_an_l1", { subnetID: subnet }, "the subnet was not converted to an L1"),
        refusedWith({ subnetID: l1, height: 0 }, "platform.height_not_kept", ["height"]),
        refusedWith({ subnetID: l1, height: height + 1 }, "platform.future_height", ["height", "lastAccepted"]),
        refusedWith({ subnetID: l1, until: 1 }, "platform.time_passed", ["until", "chainTime"]),
        refusedWith({ subnetID: l1, until }, "platform.time_beyond_forecast", ["until", "forecastUntil"]),
      ],
    },
    "platform.getL1s": { takes: {}, normal: [both(undefined, listed)] },
  }
}
