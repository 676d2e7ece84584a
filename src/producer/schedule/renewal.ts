import { priceAt } from "../../core/blocks/execute.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { vmRQ } from "../../core/genesis/testKeys.js"
import type { Log } from "../../core/lib/log.js"
import { min } from "../../core/lib/math64.js"
import { nextBlockTime } from "../../core/rules/chainTime.js"
import type { Staker } from "../../core/state/staker.js"
import { validatorOf } from "../../core/state/stakers.js"
import type { View } from "../../core/state/view.js"
import type { Tx } from "../../core/txs/tx.js"
import type { UnsignedTx } from "../../core/txs/unsignedTx.js"
import { type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { unlocked } from "../../core/types/output.js"
import type { Utxo } from "../../core/types/utxo.js"
import type { ChainHead, Extension } from "../chain/chainHead.js"
import { type Payment, Purse } from "../funds/wallet.js"
import { keyOfTest } from "../keys/key.js"
import { periodFrom } from "./period.js"

type AddValidator = Extract<UnsignedTx, { kind: "AddPermissionlessValidatorTx" }>

/** Keeps the five built-in validators staking: when one's time is over, it stakes again with what came back. */
export class Renewal {
  readonly #head: ChainHead
  readonly #state: View
  readonly #log: Log
  readonly #own: ReadonlyMap<NodeID, AddValidator>
  readonly #givenUp = new Set<NodeID>()

  /** `state` is the store's, with its indexes. */
  constructor(head: ChainHead, state: View, genesis: Genesis, log: Log) {
    this.#head = head
    this.#state = state
    this.#log = log
    this.#own = new Map(ownValidators(genesis).map((tx) => [tx.validator.nodeID, tx]))
  }

  /** True where one of them does not validate, and could. */
  get isDue(): boolean {
    return this.#absent().length > 0
  }

  /** Stakes those again who do not validate now, each in the next block. Tells how many blocks that made. */
  renew(now: bigint, returned?: Staker): number {
    let blocks = 0
    for (const [nodeID, old] of this.#absent()) {
      // The index by address is as of the last flush.
      this.#head.flush()
      const tx = this.#txFor(old, now, returned)
      const extension = tx && this.#head.extend([tx], now)
      blocks += extension?.blocks.length ?? 0
      if (extension?.packed.length) {
        this.#log.info("validator renewed", { nodeID: nodeIDText(nodeID) })
        continue
      }
      if (extension?.gasReadyInSeconds === undefined) this.#givenUp.add(nodeID)
      this.#log.warn("validator not renewed", { nodeID: nodeIDText(nodeID), reason: reasonOf(extension) })
    }
    return blocks
  }

  /** The chain is another one: who could not be renewed there may be so here. */
  forget(): void {
    this.#givenUp.clear()
  }

  #absent(): [NodeID, AddValidator][] {
    const isAbsent = (nodeID: NodeID) => !validatorOf(this.#head.view, { subnetID: PRIMARY_NETWORK_ID, nodeID })
    return [...this.#own].filter(([nodeID]) => !this.#givenUp.has(nodeID) && isAbsent(nodeID))
  }

  /** The stake is what came back, less the fee where the key owns nothing else; the period the longest there may be. */
  #txFor(old: AddValidator, now: bigint, returned: Staker | undefined): Tx | undefined {
    const { rules, view } = this.#head
    const { staking } = rules.params
    const price = priceAt(this.#head.scratchAt(now), rules) ?? 0n
    const isPreferred = ({ txID }: Utxo) => txID === returned?.txID
    const purse = new Purse(this.#state, keyOfTest(vmRQ), rules, { now, isPreferred })
    const period = periodFrom(nextBlockTime(view, rules, now).time, staking.maxStakeDuration, rules)
    const paymentOf = (weight: bigint): Payment => ({
      amount: weight,
      make: (parts) => ({
        ...old,
        ...parts,
        validator: { ...old.validator, ...period, weight },
        stake: [purse.outputOf(weight)],
        shares: Math.max(old.shares, staking.minDelegationFee),
      }),
    })
    const affordable = purse.balance - purse.feeOfAll(paymentOf(1n), price)
    const weight = min(min(old.validator.weight, staking.maxValidatorStake), affordable)
    return weight < staking.minValidatorStake ? undefined : purse.pay(paymentOf(weight), price)
  }
}

/** The validators of genesis that are the well-known five, with their stake under the well-known key. */
function ownValidators({ validators }: Genesis): AddValidator[] {
  const known = new Set(localStakers.map(({ nodeID }) => nodeID))
  const isOwn = ({ validator, stake }: AddValidator) =>
    known.has(validator.nodeID) && stake.every(({ output }) => unlocked(output).addresses.join() === vmRQ.address)
  return validators.flatMap(({ unsignedTx }) =>
    unsignedTx.kind === "AddPermissionlessValidatorTx" && isOwn(unsignedTx) ? [unsignedTx] : [],
  )
}

function reasonOf(extension: Extension | undefined): string {
  if (!extension) return "its stake was spent"
  return extension.dropped[0]?.error.sentence ?? "there is not enough gas now"
}
