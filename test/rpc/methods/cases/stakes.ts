import { encode, versioned } from "../../../../src/core/codec/decode.js"
import type { Address } from "../../../../src/core/types/address.js"
import { toHexText } from "../../../../src/core/types/hexText.js"
import { parseID } from "../../../../src/core/types/id.js"
import { type TransferableOutput, transferableOutput } from "../../../../src/core/types/output.js"
import { AVAX_ID, COIN_ID, FRIEND, type MethodsFixture, type Name, NOWHERE, PAYER, STRANGER, written } from "../fixture.js"
import { ownerOf, payer } from "../payer.js"
import { friend } from "../scenario/scenario.js"
import { both, missing, noJson, refusalText, refused, type Table } from "../table.js"
import { badAddressCases } from "./addresses.js"

/** Cases of the methods about stakes and rewards. */
export function stakingCases(facts: MethodsFixture): Table {
  return { ...stakeCases(facts), ...rewardCases(facts), ...estimateCases() }
}

function stakeCases({ made }: MethodsFixture): Table {
  const nothing = { staked: "0", stakeds: {}, stakedOutputs: [], encoding: "hex" }
  const outputsOf = (...names: readonly Name[]) =>
    names.map((name) => encode(versioned(transferableOutput), (made.txs[name].unsignedTx as StakeFields).stake[0]!))
  // Stakers in the order in which they leave; pending ones are last.
  const outputs = outputsOf("remaining", "openDelegator", "pendingDelegator")
  const friendly = {
    ...{ staked: "130000000000", stakeds: { [COIN_ID]: "700", [AVAX_ID]: "130000000000" } },
    ...{ stakedOutputs: outputs.map((bytes) => toHexText(bytes)), encoding: "hex" },
  }
  const validating = outputsOf("staying", "openValidator", "keyless", "pending")
  const addresses = [FRIEND]
  return {
    "platform.getStake": {
      takes: { addresses: "strings", validatorsOnly: "bool", encoding: "encoding" },
      normal: [both({ addresses }, friendly), both({ addresses: Array(256).fill(FRIEND) }, friendly)],
      "all parameters": [
        both(
          { addresses, validatorsOnly: false, encoding: "hexnc" },
          { ...friendly, stakedOutputs: outputs.map((bytes) => toHexText(bytes, "hexnc")), encoding: "hexnc" },
        ),
        both({ addresses, validatorsOnly: true, encoding: "hexc" }, { ...nothing, encoding: "hexc" }),
        both(
          { addresses: [PAYER], validatorsOnly: true, encoding: "hex" },
          {
            ...{ staked: "6000000000000", stakeds: { [COIN_ID]: "5000", [AVAX_ID]: "6000000000000" } },
            ...{ stakedOutputs: validating.map((bytes) => toHexText(bytes)), encoding: "hex" },
          },
        ),
      ],
      "omitted parameters": [both({}, nothing), both(undefined, nothing), both({ addresses: [STRANGER] }, nothing)],
      errors: [
        refused(
          { addresses: Array(257).fill(FRIEND) },
          "platform.too_many_addresses",
          { addresses: 257, limit: 256 },
          "257 addresses provided but this method can take at most 256",
        ),
        ...badAddressCases((address) => ({ addresses: [address] })),
        noJson({ addresses }, refusalText(`couldn't encode output ${AVAX_ID} as json: unsupported encoding in method`)),
        noJson({ addresses: [STRANGER] }, { result: { ...nothing, encoding: "json" } }),
      ],
    },
  }
}

interface StakeFields {
  readonly stake: readonly TransferableOutput[]
}

/** The reward of a staker: its index among the outputs of the staker's transaction, its amount in nAVAX, and its owner. */
type Reward = readonly [name: Name, outputIndex: number, amount: bigint, owner: Address]

function rewardCases({ id, made }: MethodsFixture): Table {
  const utxoOf = ([name, outputIndex, amount, owner]: Reward) => {
    const output = { ...ownerOf(owner), kind: "TransferOutput" as const, amount }
    return written({ txID: made.txs[name].id, outputIndex, assetID: parseID(AVAX_ID), output })
  }
  const nothing = { numFetched: "0", utxos: [], encoding: "hex" }
  const paid = (...rewards: readonly Reward[]) => {
    const utxos = rewards.map((reward) => utxoOf(reward).hex)
    return both({ txID: id(rewards[0]![0]) }, { numFetched: String(utxos.length), utxos, encoding: "hex" })
  }
  const delegation: Reward = ["delegator", 2, 27_656_766n, friend]
  return {
    "platform.getRewardUTXOs": {
      takes: { txID: "ID", encoding: "encoding" },
      normal: [paid(delegation), paid(["validator", 2, 590_024_489n, friend], ["validator", 3, 709_148n, payer])],
      "all parameters": [
        both(
          { txID: id("delegator"), encoding: "hexnc" },
          { numFetched: "1", utxos: [utxoOf(delegation).hexnc], encoding: "hexnc" },
        ),
        // It is refused its own reward, and is paid the commission of its delegations.
        paid(["refused", 2, 709_148n, payer]),
      ],
      "omitted parameters": [both({}, nothing), both(undefined, nothing)],
      errors: [
        ...[NOWHERE, id("staying"), id("payment")].map((txID) => both({ txID }, nothing)),
        noJson({ txID: id("delegator") }, refusalText("couldn't encode utxo as json: unsupported encoding in method")),
        noJson({ txID: NOWHERE }, { result: { ...nothing, encoding: "json" } }),
      ],
    },
  }
}

/** The estimates themselves are compared with what is paid (test/rpc/estimateReward.test.ts). */
function estimateCases(): Table {
  const stake = { amount: "2000000000000", duration: "1209600" }
  const reward = "7678863938"
  const cycle = {
    ...{ startTime: "2024-07-19T04:00:00Z", endTime: "2024-08-02T04:00:00Z", stake: stake.amount, reward, validatorShare: "0" },
    ...{ restaked: "0", assumption: "nextBlock", leastReward: reward, mostReward: reward },
  }
  const all = { ...stake, start: "0", delegationShares: 20_000, cycles: 2, autoCompoundRewardShares: 0 }
  return {
    "platform.estimateReward": {
      takes: {
        amount: "u64",
        duration: "u64",
        start: "u64",
        delegationShares: "u32",
        cycles: "u32",
        autoCompoundRewardShares: "u32",
      },
      normal: [both(stake, { supply: "361196579719456888", reward, cycles: [cycle] })],
      "all parameters": [
        refused(
          all,
          "platform.renewed_delegation",
          {},
          "only validators renew themselves: leave out the number of cycles or the validator's share",
        ),
      ],
      "omitted parameters": [missing("amount", refusalText("staking period is too short"))],
      errors: [
        refused(
          { ...stake, cycles: 0 },
          "platform.bad_cycles",
          { cycles: 0, maximum: 1_000 },
          "the number of cycles is not between one and the largest that is estimated",
        ),
      ],
    },
  }
}
