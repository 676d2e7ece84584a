import { priceAt } from "../../core/blocks/steps.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { vmRQ } from "../../core/genesis/testKeys.js"
import type { Log } from "../../core/lib/log.js"
import { min } from "../../core/lib/math64.js"
import type { Pace } from "../../core/lib/pace.js"
import { nextBlockTime } from "../../core/rules/chainTime.js"
import type { Staker } from "../../core/state/staker.js"
import { validatorOf } from "../../core/state/stakers.js"
import type { View } from "../../core/state/view.js"
import type { Tx } from "../../core/txs/tx.js"
import type { UnsignedTx } from "../../core/txs/unsignedTx.js"
import { type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import type { Utxo } from "../../core/types/utxo.js"
import type { ChainHead, Extension } from "../chain/chainHead.js"
import type { Payment } from "../funds/payment.js"
import { Purse } from "../funds/wallet.js"
import { keyOfTest } from "../keys/key.js"
import { periodFrom } from "./period.js"

type AddValidator = Extract<UnsignedTx, { kind: "AddPermissionlessValidatorTx" }>

/** Stakes for the five built-in validators again when their period ends, with the returned stake. */
export class ValidatorRenewal {
  readonly #log: Log
  readonly #own: ReadonlyMap<NodeID, AddValidator>
  readonly #givenUp = new Set<NodeID>()
  /** Renewals since the last line of the log. */
  #renewed = 0

  constructor(genesis: Pick<Genesis, "body">, log: Log) {
    this.#log = log
    this.#own = new Map(builtInValidators(genesis).map((tx) => [tx.validator.nodeID, tx]))
  }

  /** Returns whether one of the five does not validate now. Those that could not be renewed do not count. */
  isDue({ view }: Pick<ChainHead, "view">): boolean {
    return this.#absent(view).length > 0
  }

  /** Stakes for each of the five that does not validate now, each in a block of its own. Returns the number of blocks made. */
  async renew(head: ChainHead, now: bigint, pace: Pace, returned?: Staker): Promise<number> {
    let blocks = 0
    for (const [nodeID, old] of this.#absent(head.view)) {
      const tx = txFor(old, head, now, returned)
      if (pace.isDue) await pace.pause()
      const extension = tx && (await head.extend([tx], now, pace))
      blocks += extension?.blocks.length ?? 0
      if (pace.isDue) await pace.pause()
      if (extension?.packed.length) {
        this.#renewed++
        continue
      }
      if (extension?.gasReadyInSeconds === undefined) this.#givenUp.add(nodeID)
      this.#log.warn("validator not renewed", { nodeID: nodeIDText(nodeID), reason: reasonOf(extension) })
    }
    return blocks
  }

  /** Logs one line about all renewals since the last line, because a century of time travel makes five hundred. */
  report(): void {
    if (this.#renewed > 0) this.#log.info("validators renewed", { renewals: this.#renewed })
    this.#renewed = 0
  }

  /** Forgets which validators could not be renewed, because the chain was replaced. */
  forget(): void {
    this.#givenUp.clear()
  }

  #absent(view: View): [NodeID, AddValidator][] {
    const isAbsent = (nodeID: NodeID) => !validatorOf(view, { subnetID: PRIMARY_NETWORK_ID, nodeID })
    return [...this.#own].filter(([nodeID]) => !this.#givenUp.has(nodeID) && isAbsent(nodeID))
  }
}

/** Makes the transaction with the old stake, as far as the key can pay it and the fee, for the longest period allowed. */
function txFor(old: AddValidator, head: ChainHead, now: bigint, returned: Staker | undefined): Tx | undefined {
  const { rules, view } = head
  const { staking } = rules.params
  const price = priceAt(head.scratchAt(now), rules) ?? 0n
  const isPreferred = ({ txID }: Utxo) => txID === returned?.txID
  const purse = new Purse(head.written(), keyOfTest(vmRQ), rules, { now, isPreferred })
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

/** Returns the built-in validators: those of genesis whose stake belongs to the well-known key. */
export function builtInValidators(genesis: Pick<Genesis, "body">): AddValidator[] {
  const known = new Set(localStakers.map(({ nodeID }) => nodeID))
  const isOwn = ({ validator, stake }: AddValidator) =>
    known.has(validator.nodeID) && stake.every(({ output }) => innerOutput(output).addresses.join() === vmRQ.address)
  return genesis
    .body()
    .validators.flatMap(({ unsignedTx }) =>
      unsignedTx.kind === "AddPermissionlessValidatorTx" && isOwn(unsignedTx) ? [unsignedTx] : [],
    )
}

function reasonOf(extension: Extension | undefined): string {
  if (!extension) return "its stake was spent"
  return extension.dropped[0]?.error.sentence ?? "there is not enough gas now"
}
