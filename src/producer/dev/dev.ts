import { chainTimeOf } from "../../core/rules/run.js"
import { Diff } from "../../core/state/diff.js"
import { validatorOf } from "../../core/state/stakers.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID, NodeID } from "../../core/types/id.js"
import { idText, nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import { producerError } from "../errors.js"
import { type Grant, grantTo } from "../funds/treasury.js"
import { type Identity, identityAt, identityCount, identityEdits } from "../keys/identities.js"
import type { Key } from "../keys/key.js"
import { type Signer, signWarpMessage } from "../keys/warpSigner.js"
import type { Producer } from "../producer.js"
import { type BlockMode, checkBlockMode } from "../schedule/schedule.js"
import { reset } from "../snapshots/reset.js"
import { Snapshots } from "../snapshots/snapshots.js"
import { dumpState, loadState } from "../snapshots/stateFile.js"
import type { Override } from "../tables.js"
import { addValidators, type ValidatorsAdded } from "./addValidators.js"
import { type DevAccount, devKeys, requireKey, withBalances } from "./devAccounts.js"
import { type MineOptions, type MineResult, mine } from "./mine.js"
import { putIntoBlock } from "./ownTx.js"
import { setTime, type TimeOptions, type TimeTravelResult } from "./setTime.js"
import { type Simulation, simulate } from "./simulate.js"
import type { ValidatorsWanted } from "./stakeTxBuilder.js"
import { type AcceptedTx, TxWaiters } from "./txWaiters.js"

/** How a private chain stands. */
export interface DevStatus {
  /** What the clock shows, Unix seconds, and how far it is ahead of the machine's. */
  readonly clock: bigint
  readonly offset: bigint
  readonly isFrozen: boolean
  /** The last block's time. */
  readonly chainTime: bigint
  readonly height: bigint
  readonly blockMode: BlockMode
  readonly snapshots: readonly { readonly id: number; readonly height: bigint }[]
  /** How much was done by hand. */
  readonly overrides: number
  /** How many transactions wait. */
  readonly mempool: number
}

/** A payment from a funded account, in nAVAX. */
export interface DevPayment {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

/** What developers may do to a private chain, beyond issuing transactions. Each is done in its turn. */
export class Dev {
  readonly #producer: Producer
  readonly #initialState: Uint8Array | undefined
  readonly #snapshots: Snapshots
  readonly #waiters: TxWaiters
  #knownKeys: readonly Key[] | undefined

  /** `initialState`: the dumped state that the chain was started with, if it was. */
  constructor(producer: Producer, { initialState }: { readonly initialState?: Uint8Array | undefined } = {}) {
    this.#producer = producer
    this.#initialState = initialState
    this.#snapshots = new Snapshots(producer)
    this.#waiters = new TxWaiters(producer)
  }

  status(): DevStatus {
    const { head, clock, schedule } = this.#producer
    return {
      clock: clock.now(),
      offset: clock.offset,
      isFrozen: clock.isFrozen,
      chainTime: chainTimeOf(head.view),
      height: head.chain.lastAccepted.height,
      blockMode: schedule.mode,
      snapshots: this.#snapshots.all,
      overrides: head.overrides.count,
      mempool: head.pool.size,
    }
  }

  now(): bigint {
    return this.#producer.now()
  }

  /** Moves the clock forward, and makes every block that falls due on the way. See `setTime`. */
  setTime(options: TimeOptions): Promise<TimeTravelResult> {
    return this.#turn((producer) => setTime(producer, options))
  }

  /** Makes blocks of what waits. See `mine`. */
  mine(options: MineOptions): Promise<MineResult> {
    return this.#turn((producer) => mine(producer, options))
  }

  /** Throws `producer.bad_interval`. */
  setBlockMode(mode: BlockMode): Promise<void> {
    return this.#turn(async (producer) => {
      checkBlockMode(mode)
      producer.schedule.mode = mode
      if (mode.mode === "auto") await producer.pack()
      producer.schedule.arm()
    })
  }

  snapshot(): Promise<{ readonly id: number; readonly height: bigint }> {
    return this.#turn(() => this.#snapshots.take())
  }

  /** Throws `producer.unknown_snapshot`. */
  revert(id: number): Promise<{ readonly height: bigint }> {
    return this.#turn(() => this.#snapshots.revert(id))
  }

  /** Begins anew, as if the node had just been started with its flags. */
  reset(): Promise<{ readonly height: bigint }> {
    return this.#turn(async (producer) => {
      await reset(producer, this.#initialState)
      return this.#afresh(producer)
    })
  }

  /** Gives AVAX to someone: by a payment, or out of nothing where no payment could. */
  fund(grant: Grant): Promise<{ readonly txID: ID | undefined; readonly utxoID: ID }> {
    return this.#turn(async (producer) => {
      await producer.settleNow()
      const { treasury } = producer
      if (grant.stakeableLocktime > 0n || !treasury.canPay) {
        const [utxo] = treasury.mintWithoutTx([grant]) as [Utxo]
        producer.head.applyOverrides([{ kind: "utxo", utxo }])
        return { txID: undefined, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
      }
      const tx = treasury.pay([grant], producer.now())
      await putIntoBlock(producer, tx)
      return { txID: tx.id, utxoID: treasury.utxoIDOf(tx, grant) }
    })
  }

  /** The funded keys that the node prints when it starts, with what each can spend now. */
  accounts(): readonly DevAccount[] {
    return withBalances(this.#keys(), this.#producer)
  }

  /** Pays from one of `accounts`. Throws `producer.unknown_account`, which names it by `fromText`. */
  pay({ from, to, amount }: DevPayment, fromText: string): Promise<{ readonly txID: ID; readonly utxoID: ID }> {
    return this.#turn(async (producer) => {
      const key = requireKey(this.#keys(), from, fromText)
      await producer.settleNow()
      const grant = grantTo(to, amount)
      const tx = producer.treasury.pay([grant], producer.now(), key)
      await putIntoBlock(producer, tx)
      return { txID: tx.id, utxoID: producer.treasury.utxoIDOf(tx, grant) }
    })
  }

  /** Leaves a UTXO to be imported, as if another chain had exported it. */
  creditAtomic(sourceChain: ID, address: Address, amount: bigint): Promise<Utxo> {
    return this.#turn((producer) => {
      const [utxo] = producer.treasury.mintWithoutTx([grantTo(address, amount)]) as [Utxo]
      producer.head.applyOverrides([{ kind: "atomicUtxo", sourceChain, utxo }])
      return utxo
    })
  }

  addValidators(wanted: ValidatorsWanted): Promise<ValidatorsAdded> {
    return this.#turn((producer) => addValidators(producer, wanted))
  }

  /** Keys of a node that does not exist, for registering it as a validator by hand. They are kept, so that it can sign. */
  newIdentity(): Promise<Identity> {
    return this.#turn(({ state, options }) => {
      const identity = identityAt(options.genesis.id, identityCount(state.latest))
      state.commit(identityEdits(new Diff(state.latest), [identity]))
      return identity
    })
  }

  /** Percent from 0 to 100; `undefined`: the default. Throws `producer.unknown_validator` where nobody validates at this node. */
  setUptime(nodeID: NodeID, percent: number | undefined): Promise<void> {
    const millionths = percent === undefined ? [] : [Math.round(percent * 1_000_000)]
    return this.#turn(({ head }) => {
      const isKnown = validatorOf(head.view, { subnetID: PRIMARY_NETWORK_ID, nodeID }) || head.overrides.uptimes.has(nodeID)
      if (!isKnown) throw producerError("producer.unknown_validator", { nodeID: nodeIDText(nodeID) })
      head.applyOverrides([{ kind: "uptime", nodeID, millionths }])
    })
  }

  impersonate(addresses: readonly Address[]): Promise<void> {
    return this.#applyOverride({ kind: "impersonate", addresses })
  }

  stopImpersonating(addresses: readonly Address[]): Promise<void> {
    return this.#applyOverride({ kind: "stopImpersonating", addresses })
  }

  /** A signed message of these unsigned bytes. See `signWarpMessage`. */
  signWarpMessage(message: Uint8Array, subnetID: ID | undefined, signers: readonly Signer[] | undefined): Uint8Array {
    const { head } = this.#producer
    const pChainHeight = head.wrappers.contextHeight()
    return signWarpMessage(head.view, { message, subnetID, signers, pChainHeight, networkID: head.rules.networkID })
  }

  /** Throws `codec.*` for bytes that are no transaction. */
  simulateTx(bytes: Uint8Array): Simulation {
    return simulate(this.#producer.head, bytes, this.#producer.now())
  }

  /** The transactions that wait, in the order of the blocks to come. */
  mempool(): readonly { readonly tx: Tx; readonly gas: bigint; readonly burned: bigint }[] {
    const { head } = this.#producer
    return [...head.pool].map((tx) => ({ tx, ...head.meter(tx) }))
  }

  /** Throws `producer.not_waiting`. */
  dropTx(txID: ID): Promise<void> {
    return this.#turn(({ head, schedule }) => {
      if (!head.pool.has(txID)) throw producerError("producer.not_waiting", { txID: idText(txID) })
      head.drop({ id: txID }, producerError("producer.dropped"))
      schedule.arm()
    })
  }

  /** How the transaction was accepted; `undefined` where it was dropped, or so many seconds went by. */
  waitForTx(txID: ID, seconds: number): Promise<AcceptedTx | undefined> {
    return this.#waiters.wait(txID, seconds)
  }

  /** Lets everyone who waits for a transaction go, with what is known by now: the node is about to stop. */
  stopWaiting(): void {
    this.#waiters.release()
  }

  dumpState(): Promise<Uint8Array> {
    return this.#turn((producer) => dumpState(producer))
  }

  /** Throws `producer.bad_dump`, `producer.newer_dump`, `producer.other_dump`. */
  loadState(bytes: Uint8Array): Promise<{ readonly height: bigint }> {
    return this.#turn(async (producer) => {
      await loadState(producer, bytes)
      await producer.begin()
      return this.#afresh(producer)
    })
  }

  /** Another chain is here: no snapshot is of it, and what waits on it gets its block. */
  async #afresh(producer: Producer): Promise<{ readonly height: bigint }> {
    this.#snapshots.forget()
    if (producer.schedule.mode.mode === "auto") await producer.pack()
    return { height: producer.head.chain.lastAccepted.height }
  }

  /** Derived from the phrase once: that takes some milliseconds. */
  #keys(): readonly Key[] {
    this.#knownKeys ??= devKeys(this.#producer)
    return this.#knownKeys
  }

  #applyOverride(override: Override): Promise<void> {
    return this.#turn(({ head }) => head.applyOverrides([override]))
  }

  #turn<T>(task: (producer: Producer) => T | Promise<T>): Promise<T> {
    return this.#producer.turn(() => task(this.#producer))
  }
}
