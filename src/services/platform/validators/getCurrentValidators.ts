import type { TypeOf } from "../../../core/codec/schema.js"
import { currentStakers, l1ValidatorsOf } from "../../../core/readmodel/currentValidators.js"
import { isPermissioned, type Staker } from "../../../core/state/staker.js"
import { delegatorsOf } from "../../../core/state/stakers.js"
import { tables } from "../../../core/state/tables.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { rows } from "../../../jsonrpc/schema/outputs.js"
import { type Context, method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { ofSecond } from "../../lifetimes.js"
import { validatorOutput } from "./recordSchemas.js"
import { changingFields, delegatorRecord, fixedFields, l1Record } from "./records.js"

const result = object({ validators: rows(validatorOutput) })

export const getCurrentValidators = method({
  name: "platform.getCurrentValidators",
  summary:
    "Returns the current validators of a subnet, or only those with the given node IDs. They are sorted by the time they leave, the validators of an L1 by node ID. The delegators are included if exactly one node ID is given.",
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
    nodeIDs: described(
      withDefault(list(nodeID), []),
      "The node IDs of the validators to return. An empty list means all validators.",
    ),
  }),
  result,
  cost: 5,
  lifetime: ofSecond(({ node }) => node.measuresUptimes === true),
  examples: [
    {
      title: "one validator of the primary network",
      params: { nodeIDs: ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"] },
      result: {
        validators: [
          {
            txID: "32fSGy5ZU9WBprRFSBkFqZ3Qy7BUZF6fxDuPGsQcvLfYuwSR4",
            startTime: "1721016000",
            endTime: "1752530400",
            weight: "2000000000000000",
            nodeID: "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5",
            stakeAmount: "2000000000000000",
            validationRewardOwner: {
              locktime: "0",
              threshold: "1",
              addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            },
            rewardOwner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
            delegationRewardOwner: {
              locktime: "0",
              threshold: "1",
              addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            },
            potentialReward: "239808237943328",
            delegationFee: "6.2500",
            delegationFeeRate: "6.2500",
            signer: {
              publicKey: "0x8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a",
              proofOfPossession:
                "0xb034e0d0ec808b7ec456a6d88bdad7b32854794605a11139d70430d81fb93834a3f81d8969042952daff335fec51018016a7ecb19d38597c5743a4eb3fb945ebe28a4250dd7bcb7a192c98d2fcaf15320a9bee239c66ddf61bb24f87c6e91971",
              proofOfPosession:
                "0xb034e0d0ec808b7ec456a6d88bdad7b32854794605a11139d70430d81fb93834a3f81d8969042952daff335fec51018016a7ecb19d38597c5743a4eb3fb945ebe28a4250dd7bcb7a192c98d2fcaf15320a9bee239c66ddf61bb24f87c6e91971",
            },
            accruedDelegateeReward: "0",
            uptime: "100.0000",
            connected: true,
            delegatorCount: "0",
            delegatorWeight: "0",
            delegators: [],
          },
        ],
      },
    },
    {
      title: "an L1",
      params: { subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR" },
      result: {
        validators: [
          {
            txID: "TSAutHbn3dY5nmRhJn7AKaku9i2wSbSTuC19NqxY37r7A6Lvc",
            nodeID: "NodeID-42AzCjVmuXmniTybz4BafUHpiKK4tV9J2",
            weight: "100",
            startTime: "1721016006",
            validationID: "1LTdBEfr59YAp8LupNTS2UUCFn8W93XYq14UjwJ5cox1x1VhR",
            publicKey: "0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
            remainingBalanceOwner: {
              locktime: "0",
              threshold: "1",
              addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            },
            deactivationOwner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
            minNonce: "0",
            balance: "1998703999",
          },
          {
            txID: "TSAutHbn3dY5nmRhJn7AKaku9i2wSbSTuC19NqxY37r7A6Lvc",
            nodeID: "NodeID-47Us9aEq2PvBC5wobBJw1yEpQEbMdm54p",
            weight: "50",
            startTime: "1721016006",
            validationID: "dCJUisqVeY86rAKgaZkNicpheSDkBvj9dy5hN3ehGw9cmQgxK",
            publicKey: "0xa058ff27a4c570664bfa28e34939368539a1340867951943d0f56fa8aac13bc09ff64f341acf8cc0cef74202c2d6f9c0",
            remainingBalanceOwner: {
              locktime: "0",
              threshold: "1",
              addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            },
            deactivationOwner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
            minNonce: "0",
            balance: "0",
          },
        ],
      },
    },
  ],

  handler: async ({ subnetID, nodeIDs }, context) => ({
    validators: records(subnetID, nodeIDs.length === 0 ? undefined : new Set(nodeIDs), context),
  }),
})

type Validator = TypeOf<typeof validatorOutput>

/** Returns the records of all validators of the subnet, or of those of these nodes, one by one as they are printed. */
function* records(subnetID: ID, nodeIDs: ReadonlySet<NodeID> | undefined, context: Context): Iterable<Validator> {
  const { view } = context
  for (const staker of currentStakers(view, subnetID, nodeIDs)) {
    const delegators = nodeIDs?.size === 1 && !isPermissioned(staker.priority) ? delegatorRecords(staker, context) : undefined
    yield { first: knownFields(staker, context), second: { ...changingFields(staker, context), delegators } }
  }
  if (!view.get(tables.conversions, subnetID)) return
  for (const validator of l1ValidatorsOf(view, subnetID, nodeIDs)) yield l1Record(validator, context)
}

/** Approximate bytes of the fixed fields of a record. */
const RECORD_BYTES = 1500

/**
 * Returns the part of a record that does not change while the validator stakes. It is remembered, because it needs the staker's
 * transaction: reading those would take most of the time of a list of 1,500 validators.
 */
function knownFields(staker: Staker, context: Context): ReturnType<typeof fixedFields> {
  const { txID, weight, startTime, endTime, potentialReward } = staker
  // After a revert the same transaction may have been accepted at another time.
  const key = `${context.dialect} validator ${txID} ${weight} ${startTime} ${endTime} ${potentialReward}`
  const { memo } = context
  return memo.known<ReturnType<typeof fixedFields>>(key) ?? memo.keep(key, fixedFields(staker, context), RECORD_BYTES)
}

function* delegatorRecords(staker: Staker, context: Context): Iterable<ReturnType<typeof delegatorRecord>> {
  for (const delegator of delegatorsOf(context.view, "current", staker)) yield delegatorRecord(delegator, context)
}
