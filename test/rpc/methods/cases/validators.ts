import { idText, nodeIDText } from "../../../../src/core/types/id.js"
import { EMPTY, FRIEND, type MethodsFixture, NOWHERE, ownerJson, PAYER } from "../fixture.js"
import { both, type Case, differ, missing, refusalText, refused, type Table } from "../table.js"
import { DAY, GRANITE, HOUR, START } from "../when.js"

type Members = Readonly<Record<string, unknown>>

/** Cases of the methods that list validators. */
export function validatorCases(facts: MethodsFixture): Table {
  return { ...listCases(facts), ...l1Cases(facts) }
}

/** A staker's record in the contract's dialect: as AvalancheGo's, with a few members more (D3, D13, D33). */
function ours(record: Members): Members {
  if (!("potentialReward" in record)) return record
  const { signer, delegators, weight, delegationFee } = record
  const { proofOfPossession } = (signer ?? {}) as Members
  return {
    ...record,
    stakeAmount: weight,
    ...(delegationFee ? { delegationFeeRate: delegationFee } : {}),
    ...(signer ? { signer: { ...(signer as Members), proofOfPosession: proofOfPossession } } : {}),
    ...(delegators ? { delegators: (delegators as readonly Members[]).map(ours) } : {}),
  }
}

/** Records of a subnet, in each dialect. */
function listed(params: Case["params"], ...records: readonly Members[]): Case {
  return differ(params, { validators: records.map(ours) }, { validators: records })
}

function period(start: bigint, end: bigint, weight: bigint): Members {
  return { startTime: String(start), endTime: String(end), weight: String(weight) }
}

function listCases(facts: MethodsFixture): Table {
  const { id, locals, keyless, stayer, members } = facts
  const later = GRANITE + HOUR
  const owners = {
    validationRewardOwner: ownerJson(FRIEND),
    rewardOwner: ownerJson(FRIEND),
    delegationRewardOwner: ownerJson(PAYER),
  }
  const [first, , third] = locals.map(({ nodeID }) => nodeID)
  const subnetID = id("open")
  const member = { txID: id("member"), ...period(START + HOUR, START + 20n * DAY, 42n), nodeID: first }
  const opened = {
    ...{ txID: id("openValidator"), ...period(START + HOUR, START + 100n * DAY, 5_000n), nodeID: third, ...owners },
    ...{
      potentialReward: "14",
      accruedDelegateeReward: "0",
      delegationFee: "2.5000",
      delegatorCount: "1",
      delegatorWeight: "700",
    },
  }
  const openDelegator = {
    ...{ txID: id("openDelegator"), ...period(START + 2n * HOUR, START + 100n * DAY, 700n), nodeID: third },
    ...{ rewardOwner: ownerJson(FRIEND), potentialReward: "2" },
  }
  const old = {
    ...{ txID: id("keyless"), ...period(START + HOUR, START + 300n * DAY, 2_000_000_000_000n), nodeID: keyless },
    ...{ ...owners, delegationRewardOwner: ownerJson(FRIEND) },
    ...{
      potentialReward: "190107456594",
      accruedDelegateeReward: "0",
      delegationFee: "3.0000",
      uptime: "100.0000",
      connected: true,
    },
    ...{ delegatorCount: "1", delegatorWeight: "25000000000" },
  }
  const oldDelegator = {
    ...{ txID: id("oldDelegator"), ...period(START + 2n * HOUR, START + 200n * DAY, 25_000_000_000n), nodeID: keyless },
    ...{ rewardOwner: ownerJson(PAYER), potentialReward: "1509223337" },
  }
  const staying = {
    ...{ txID: id("staying"), ...period(later, later + 90n * DAY, 2_000_000_000_000n), ...stayer, ...owners },
    ...{
      potentialReward: "51404202214",
      accruedDelegateeReward: "709148",
      delegationFee: "2.5000",
      uptime: "87.6543",
      connected: true,
    },
    ...{ delegatorCount: "1", delegatorWeight: "100000000000" },
  }
  const remaining = {
    ...{ txID: id("remaining"), ...period(later, later + 80n * DAY, 100_000_000_000n), nodeID: stayer.nodeID },
    ...{ rewardOwner: ownerJson(FRIEND), potentialReward: "2272700371" },
  }
  const genesis = [0, 1, 2, 3, 4].map((i) => genesisRecord(facts, i))
  const primary = [staying, old, ...genesis.reverse()]
  const { leftover, ours: withTx, theirs } = l1Records(facts)
  const l1 = id("l1")
  const none = { validators: [] }
  return {
    "platform.getCurrentValidators": {
      takes: { subnetID: "ID", nodeIDs: "NodeIDs" },
      normal: [
        listed({ subnetID: EMPTY }, ...primary),
        listed({ subnetID: id("subnet") }, member),
        // Without uptime: that is of the primary network (D14).
        listed({ subnetID }, opened),
        // The validators from before the conversion, then those of the L1, including inactive ones.
        differ({ subnetID: l1 }, { validators: [leftover, ...withTx] }, { validators: [leftover, ...theirs] }),
      ],
      "all parameters": [
        listed({ subnetID, nodeIDs: [third as string] }, { ...opened, delegators: [openDelegator] }),
        listed({ subnetID: EMPTY, nodeIDs: [keyless] }, { ...old, delegators: [oldDelegator] }),
        // Delegators are listed when one node is requested, however often it is named.
        listed({ subnetID: EMPTY, nodeIDs: [stayer.nodeID, stayer.nodeID] }, { ...staying, delegators: [remaining] }),
        listed({ subnetID: EMPTY, nodeIDs: [keyless, stayer.nodeID] }, staying, old),
        listed({ subnetID: EMPTY, nodeIDs: [first as string] }, { ...genesis.at(-1), delegators: [] }),
        listed({ subnetID: id("subnet"), nodeIDs: [first as string] }, member),
        differ({ subnetID: l1, nodeIDs: [members[3]!.nodeID] }, { validators: withTx.slice(2) }, { validators: theirs.slice(2) }),
        both({ subnetID: id("subnet"), nodeIDs: [stayer.nodeID] }, none),
        both({ subnetID: NOWHERE, nodeIDs: [] }, none),
      ],
      "omitted parameters": [listed({}, ...primary), listed(undefined, ...primary), listed({ nodeIDs: null }, ...primary)],
    },
  }
}

/** The record of one of the five validators of genesis. */
function genesisRecord({ locals, nodes }: MethodsFixture, index: number): Members {
  const { validators } = nodes.contract.chain.data.genesis.body()
  const { nodeID } = locals[index]!
  const { id, unsignedTx } = validators.find((each) => nodeIDText(each.unsignedTx.validator.nodeID) === nodeID)!
  const { start, end, weight } = unsignedTx.validator
  const owner = ownerJson(PAYER)
  return {
    ...{ txID: idText(id), ...period(start, end, weight), ...locals[index], rewardOwner: owner },
    ...{ validationRewardOwner: owner, delegationRewardOwner: owner, potentialReward: POTENTIAL_REWARDS[index] },
    ...{ accruedDelegateeReward: "0", delegationFee: DELEGATION_FEES[index], uptime: "100.0000", connected: true },
    ...{ delegatorCount: "0", delegatorWeight: "0" },
  }
}

const POTENTIAL_REWARDS = ["239043697070926", "239313906584684", "238631074194715", "239536834958496", "239808237943328"]
const DELEGATION_FEES = ["100.0000", "50.0000", "25.0000", "12.5000", "6.2500"]

/** The records of the L1: its permissioned validators, and its own in each dialect. */
function l1Records({ id, members, locals }: MethodsFixture) {
  const owners = { remainingBalanceOwner: ownerJson(FRIEND), deactivationOwner: ownerJson(PAYER) }
  const record = (index: number, weight: string, minNonce: string, balance: string) => {
    const startTime = String(GRANITE + HOUR)
    return { ...members[index], ...owners, startTime, weight, minNonce, balance }
  }
  const theirs = [record(0, "100", "0", "2999830800"), record(1, "50", "0", "0"), record(3, "7", "5", "999830800")]
  // D11: the contract asks for the transaction that made the validator.
  const ours = theirs.map((each, i) => ({ ...each, txID: id(i === 2 ? "registration" : "conversion") }))
  const { nodeID } = locals[0]!
  const leftover = { txID: id("leftover"), ...period(GRANITE + HOUR, START + 20n * DAY, 8n), nodeID }
  return { theirs, ours, leftover }
}

function l1Cases(facts: MethodsFixture): Table {
  const { id, members, height } = facts
  const { theirs, ours: withTx } = l1Records(facts)
  const where = { subnetID: id("l1"), height: String(height) }
  const found = (index: number) => {
    const validationID = theirs[index]?.validationID as string
    return differ({ validationID }, { ...withTx[index], ...where }, { ...theirs[index], ...where })
  }
  const unknown = (validationID: string) =>
    refused(
      { validationID },
      "platform.unknown_l1_validator",
      { validationID },
      `fetching L1 validator "${validationID}" failed: not found`,
    )
  return {
    "platform.getL1Validator": {
      takes: { validationID: "ID" },
      normal: [found(0)],
      "all parameters": [found(1), found(2)],
      "omitted parameters": [missing("validationID", refusalText(`fetching L1 validator "${EMPTY}" failed: not found`))],
      // A removed validator is not found.
      errors: [unknown(NOWHERE), unknown(members[2]!.validationID)],
    },
  }
}
