import { chainTimeOf } from "../../core/rules/context.js"
import { Diff } from "../../core/state/diff.js"
import { validatorOf } from "../../core/state/stakers.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID, NodeID } from "../../core/types/id.js"
import { idText, nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import type { MetaChanges } from "../../store/meta.js"
import { producerError } from "../errors.js"
import { type Grant, grantTo } from "../funds/treasury.js"
import { type DevIdentity, identityAt, identityEdits, nextIdentities } from "../keys/identities.js"
import { type SignRequest, signMessage } from "../keys/warpSigner.js"
import type { ForkPoint } from "../options.js"
import type { PrivateChain } from "../privateChain.js"
import { type BlockMode, checkBlockMode } from "../schedule/schedule.js"
import { resetChain } from "../snapshots/resetChain.js"
import { Snapshots } from "../snapshots/snapshots.js"
import { loadStateFile, writeStateFile } from "../snapshots/stateFile.js"
import type { Override } from "../tables.js"
import { beginChain } from "../turn/beginChain.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { packMempool } from "../turn/packMempool.js"
import { addL1Validator, type L1ValidatorRequest, type NewL1Validator } from "./addL1Validator.js"
import { buildL1, type L1Request, type NewL1 } from "./buildL1.js"
import { changeL1Weight, type L1WeightRequest, type L1WeightSet } from "./changeL1Weight.js"
import { type DevAccount, devKeys, requireKey, shownAccounts } from "./devAccounts.js"
import { type MineOptions, type MineResult, mineBlocks } from "./mineBlocks.js"
import { putIntoBlock } from "./putIntoBlock.js"
import { type Simulation, simulate } from "./simulate.js"
import type { ValidatorsRequest } from "./stakeTxBuilder.js"
import { type AddedValidators, stakeValidators } from "./stakeValidators.js"
import { takeOverKeys, type ValidatorWithKey } from "./takeOverKeys.js"
import { type TimeOptions, type TimeTravelResult, travelTo } from "./travelTo.js"
import { type TxAcceptance, TxWaiters } from "./txWaiters.js"

/** The status of a private chain. */
export interface DevStatus {
  /** The clock in Unix seconds, and its seconds ahead of the machine's clock. */
  readonly clock: bigint
  readonly offset: bigint
  readonly isFrozen: boolean
  /** The time of the last block, Unix seconds. */
  readonly chainTime: bigint
  readonly height: bigint
  readonly blockMode: BlockMode
  readonly snapshots: readonly { readonly id: number; readonly height: bigint }[]
  /** The number of overrides. */
  readonly overrides: number
  /** The number of waiting transactions. */
  readonly mempool: number
  /** The chain that this one is a fork of, and the last block before the fork. */
  readonly fork: Pick<ForkPoint, "from" | "height" | "blockID"> | undefined
}

/** A Warp message to sign. By default the validators at the P-Chain height of the next block sign. */
export interface WarpSigningRequest extends Omit<SignRequest, "networkID" | "pChainHeight"> {
  readonly pChainHeight?: bigint | undefined
}

/** A payment from a funded account, in nAVAX. */
export interface DevPayment {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

/** The operations of `/ext/dev`. Each operation that changes the chain runs in a turn. */
export class Dev {
  readonly #chain: PrivateChain
  readonly #initialState: Uint8Array | undefined
  readonly #snapshots: Snapshots
  readonly #waiters: TxWaiters

  /** `initialState` is the state file that the node was started with, if any. */
  constructor(chain: PrivateChain, { initialState }: { readonly initialState?: Uint8Array | undefined } = {}) {
    this.#chain = chain
    this.#initialState = initialState
    this.#snapshots = new Snapshots(chain.options.store)
    this.#waiters = new TxWaiters(chain)
  }

  status(): DevStatus {
    const { status, clock, blockMode } = this.#chain
    return {
      clock: clock.now(),
      offset: clock.offset,
      isFrozen: clock.isFrozen,
      chainTime: chainTimeOf(status.view),
      height: status.lastAccepted.height,
      blockMode,
      snapshots: this.#snapshots.all,
      overrides: status.overrides.count,
      mempool: status.pool.size,
      fork: this.#chain.options.fork,
    }
  }

  now(): bigint {
    return this.#chain.now()
  }

  /** Moves the clock forward, and makes every block that is due on the way. See `travelTo`. */
  setTime(options: TimeOptions): Promise<TimeTravelResult> {
    return this.#chain.turn((chain) => travelTo(chain, options))
  }

  /** Makes blocks of waiting transactions. See `mineBlocks`. */
  mine(options: MineOptions): Promise<MineResult> {
    return this.#chain.turn((chain) => mineBlocks(chain, options))
  }

  /** Sets the block mode. Throws `producer.bad_interval`. */
  setBlockMode(mode: BlockMode): Promise<void> {
    return this.#chain.turn(async (chain) => {
      checkBlockMode(mode)
      chain.setBlockMode(mode)
      if (mode.mode === "auto") await packMempool(chain)
    })
  }

  snapshot(): Promise<{ readonly id: number; readonly height: bigint }> {
    return this.#chain.turn((chain) => this.#snapshots.take(chain))
  }

  /** Reverts to a snapshot, and writes meta values with it. Throws `producer.unknown_snapshot`. */
  revert(id: number, meta: MetaChanges = {}): Promise<{ readonly height: bigint }> {
    return this.#chain.turn((chain) => this.#snapshots.revert(chain, id, meta))
  }

  /** Starts the chain again as if the node had just been started with its flags. */
  reset(): Promise<{ readonly height: bigint }> {
    return this.#chain.turn(async (chain) => {
      await resetChain(chain, this.#initialState)
      return this.#replaced(chain)
    })
  }

  /** Grants AVAX by a payment of the treasury, or by an override if no payment is possible. */
  fund(grant: Grant): Promise<{ readonly txID: ID | undefined; readonly utxoID: ID }> {
    return this.#chain.turn(async (chain) => {
      await chain.catchUp()
      const { treasury } = chain
      const isPoor = chain.options.fork !== undefined && !treasury.canAfford(chain.written(), [grant], chain.now())
      if (grant.stakeableLocktime > 0n || !treasury.canPay || isPoor) {
        const [utxo] = treasury.mintWithoutTx(chain.written(), [grant]) as [Utxo]
        chain.applyOverrides([{ kind: "utxo", utxo }])
        return { txID: undefined, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
      }
      const tx = treasury.pay(chain.written(), [grant], chain.now())
      await putIntoBlock(chain, tx)
      return { txID: tx.id, utxoID: treasury.utxoIDOf(tx, grant) }
    })
  }

  /** Returns the funded keys that the node prints when it starts, with the amount that each can spend now. */
  accounts(): readonly DevAccount[] {
    return shownAccounts(devKeys(this.#chain), this.#chain)
  }

  /** Pays from one of `accounts`. Throws `producer.unknown_account`, which names the account by `fromText`. */
  pay({ from, to, amount }: DevPayment, fromText: string): Promise<{ readonly txID: ID; readonly utxoID: ID }> {
    return this.#chain.turn(async (chain) => {
      const key = requireKey(devKeys(this.#chain), from, fromText)
      await chain.catchUp()
      const grant = grantTo(to, amount)
      const tx = chain.treasury.pay(chain.written(), [grant], chain.now(), key)
      await putIntoBlock(chain, tx)
      return { txID: tx.id, utxoID: chain.treasury.utxoIDOf(tx, grant) }
    })
  }

  /** Adds a UTXO that can be imported, as if another chain had exported it. */
  creditAtomic(sourceChain: ID, address: Address, amount: bigint): Promise<Utxo> {
    return this.#chain.turn((chain) => {
      const [utxo] = chain.treasury.mintWithoutTx(chain.written(), [grantTo(address, amount)]) as [Utxo]
      chain.applyOverrides([{ kind: "atomicUtxo", sourceChain, utxo }])
      return utxo
    })
  }

  addValidators(wanted: ValidatorsRequest): Promise<AddedValidators> {
    return this.#chain.turn((chain) => stakeValidators(chain, wanted))
  }

  createL1(wanted: L1Request): Promise<NewL1> {
    return this.#chain.turn((chain) => buildL1(chain, wanted))
  }

  registerL1Validator(wanted: L1ValidatorRequest): Promise<NewL1Validator> {
    return this.#chain.turn((chain) => addL1Validator(chain, wanted))
  }

  setL1Weight(wanted: L1WeightRequest): Promise<L1WeightSet> {
    return this.#chain.turn((chain) => changeL1Weight(chain, wanted))
  }

  /** Makes the keys of a fictional node, which can be registered as a validator. They are stored, so that it can sign. */
  newIdentity(): Promise<DevIdentity> {
    return this.#chain.turn((chain) => {
      const state = chain.written()
      const { id } = chain.options.genesis
      const identity = identityAt(id, nextIdentities(state, id).next().value)
      chain.commit(identityEdits(new Diff(state), [identity]))
      return identity
    })
  }

  /** Sets the uptime of a validator in percent, 0 to 100; `undefined` restores the default. Throws `producer.unknown_validator`. */
  setUptime(nodeID: NodeID, percent: number | undefined): Promise<void> {
    const millionths = percent === undefined ? undefined : Math.round(percent * 1_000_000)
    return this.#chain.turn((chain) => {
      const { view, overrides } = chain.status
      const isKnown = validatorOf(view, { subnetID: PRIMARY_NETWORK_ID, nodeID }) || overrides.uptimes.has(nodeID)
      if (!isKnown) throw producerError("producer.unknown_validator", { nodeID: nodeIDText(nodeID) })
      chain.applyOverrides([{ kind: "uptime", nodeID, millionths }])
    })
  }

  impersonate(addresses: readonly Address[]): Promise<void> {
    return this.#applyOverride({ kind: "impersonate", addresses })
  }

  stopImpersonating(addresses: readonly Address[]): Promise<void> {
    return this.#applyOverride({ kind: "stopImpersonating", addresses })
  }

  /** Gives validators of a subnet BLS keys that the node holds. See `takeOverKeys`. */
  takeValidatorKeys(subnetID: ID, nodeIDs: readonly NodeID[] | undefined): Promise<readonly ValidatorWithKey[]> {
    return this.#chain.turn((chain) => takeOverKeys(chain, subnetID, nodeIDs))
  }

  /** Signs a Warp message. Throws `producer.height_too_large`, and the errors of `signMessage`. */
  signWarpMessage({ pChainHeight: given, ...request }: WarpSigningRequest): Uint8Array {
    const { view, wrappers, rules, lastAccepted } = this.#chain.status
    const pChainHeight = given ?? wrappers.contextHeight()
    if (pChainHeight > lastAccepted.height) {
      throw producerError("producer.height_too_large", { height: pChainHeight, lastAccepted: lastAccepted.height })
    }
    return signMessage(view, { ...request, pChainHeight, networkID: rules.networkID })
  }

  /** Executes a transaction without changing the chain. Throws `codec.*` for bytes that are not a transaction. */
  simulateTx(bytes: Uint8Array): Simulation {
    return simulate(this.#chain.status, bytes, this.#chain.now())
  }

  /** Returns the waiting transactions, in the order in which blocks take them. */
  mempool(): readonly { readonly tx: Tx; readonly gas: bigint; readonly burned: bigint }[] {
    const { status } = this.#chain
    return [...status.pool].map((tx) => ({ tx, ...status.meter(tx) }))
  }

  /** Removes a transaction from the mempool. Throws `producer.not_waiting`. */
  dropTx(txID: ID): Promise<void> {
    return this.#chain.turn((chain) => {
      if (!chain.status.pool.has(txID)) throw producerError("producer.not_waiting", { txID: idText(txID) })
      chain.drop({ id: txID }, producerError("producer.dropped"))
    })
  }

  /** Waits until the transaction is accepted or dropped, or until the seconds have passed. Returns the acceptance, if it was accepted. */
  waitForTx(txID: ID, seconds: number): Promise<TxAcceptance | undefined> {
    return this.#waiters.wait(txID, seconds)
  }

  /** Ends all calls of `waitForTx` with the present state, because the node is stopping. */
  stopWaiting(): void {
    this.#waiters.release()
  }

  dumpState(): Promise<Uint8Array> {
    return this.#chain.turn(writeStateFile)
  }

  /** Replaces the chain by that of a state file. Throws `producer.bad_dump`, `producer.newer_dump`, `producer.other_dump`. */
  loadState(bytes: Uint8Array): Promise<{ readonly height: bigint }> {
    return this.#chain.turn(async (chain) => {
      await loadStateFile(chain, bytes)
      await beginChain(chain, { isNew: false })
      return this.#replaced(chain)
    })
  }

  /** Drops the snapshots of the replaced chain, and makes blocks of the transactions that wait on the new one. */
  async #replaced(chain: ChainTurn): Promise<{ readonly height: bigint }> {
    this.#snapshots.forget()
    if (chain.blockMode.mode === "auto") await packMempool(chain)
    return { height: chain.status.lastAccepted.height }
  }

  #applyOverride(override: Override): Promise<void> {
    return this.#chain.turn((chain) => chain.applyOverrides([override]))
  }
}
