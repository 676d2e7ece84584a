import { admissionWork } from "../../core/chain/admissionWork.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Work } from "../../core/lib/work.js"
import { gasOf } from "../../core/rules/chainTime.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Tx } from "../../core/txs/tx.js"
import type { ID } from "../../core/types/id.js"
import type { ChainHead } from "./chainHead.js"

/**
 * Lets a transaction wait for a block where it is valid now. Unlike AvalancheGo's, ours may wait for gas: only what no
 * block could ever hold is refused for it. A refusal is remembered, but for that of a full pool: there it may try again.
 * Throws `Invalid` with what the issuer is told as its reference.
 */
export function* admit(head: ChainHead, tx: Tx): Work<void> {
  const { chain, pool, clock, rules, wrappers } = head
  if (pool.has(tx.id)) return
  const drop = pool.dropOf(tx.id)
  if (drop) throw withText(drop.error, drop.reason)
  const preferred = new Diff(chain.state)
  preferred.put(tables.gas, null, { ...gasOf(preferred), capacity: rules.params.dynamicFee.maxCapacity })
  const pChainHeight = wrappers.contextHeight()
  const admission = yield* admissionWork(tx, { env: chain.envAt(clock.now()), preferred, pChainHeight })
  if (!admission.ok) {
    head.drop(tx, admission.error, admission.reason)
    throw withText(admission.error, admission.answer)
  }
  // The same transaction may have come a second time while its proofs were verified.
  if (pool.has(tx.id)) return
  try {
    pool.add(tx, admission)
  } catch (error) {
    if (error instanceof Invalid && error.code !== "chain.pool_full") head.drop(tx, error)
    throw error
  }
}

/** The same refusal, told in these words of the reference. */
function withText(error: Invalid, reference: string): Invalid {
  return new Invalid(error.code, { says: error.sentence, reference }, error.data)
}

interface Issuer {
  /** When it came, as a number that grows with each. */
  readonly arrival: number
  resolve(milliseconds: number): void
  reject(error: unknown): void
}

/** Those who issued transactions and wait to hear of their blocks. */
export class IssueWaiters {
  readonly #waiting = new Map<ID, Issuer[]>()
  #arrivals = 0

  /** Resolves when `answer` finds that its issuer may be told, with the issuer's share of the milliseconds that the blocks took. */
  wait(txID: ID): Promise<number> {
    return new Promise((resolve, reject) => {
      const issuer = { arrival: this.#arrivals++, resolve, reject }
      const others = this.#waiting.get(txID)
      if (others) others.push(issuer)
      else this.#waiting.set(txID, [issuer])
    })
  }

  /** How many have come so far. */
  get arrivals(): number {
    return this.#arrivals
  }

  /**
   * Tells those who had come by some arrival what became of their transaction: it is accepted, it has to wait, or it is gone. Those who came
   * while the blocks were made are told after the next ones. The milliseconds are those that making blocks held the event loop; the
   * waiters share them evenly.
   */
  answer(head: ChainHead, milliseconds = 0, arrivals = this.#arrivals): void {
    const all = this.#take(arrivals)
    const share = milliseconds / all.reduce((sum, [, waiters]) => sum + waiters.length, 0)
    for (const [txID, waiters] of all) {
      const isFine = head.pool.has(txID) || head.view.get(tables.txs, txID) !== undefined
      const drop = isFine ? undefined : head.pool.dropOf(txID)
      for (const { resolve, reject } of waiters) {
        if (isFine) resolve(share)
        else reject(drop ? withText(drop.error, drop.reason) : evicted())
      }
    }
  }

  #take(arrivals: number): (readonly [ID, readonly Issuer[]])[] {
    const all = [...this.#waiting]
    this.#waiting.clear()
    return all.map(([txID, waiters]) => {
      const later = waiters.filter(({ arrival }) => arrival >= arrivals)
      if (later.length > 0) this.#waiting.set(txID, later)
      return [txID, waiters.filter(({ arrival }) => arrival < arrivals)] as const
    })
  }

  /** Tells everyone that their transaction will not be accepted. Returns the transactions. */
  refuse(error: unknown): readonly ID[] {
    const all = [...this.#waiting]
    this.#waiting.clear()
    for (const { reject } of all.flatMap(([, waiters]) => waiters)) reject(error)
    return all.map(([txID]) => txID)
  }
}

const evicted = () =>
  new Invalid("chain.pool_full", { says: "transactions that pay more took its place", reference: "not enough gas" }, {})
