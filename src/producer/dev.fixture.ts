import type { Tx } from "../core/txs/tx.js"
import type { Address } from "../core/types/address.js"
import type { ID, NodeID } from "../core/types/id.js"
import type { L1ValidatorRequest } from "./dev/addL1Validator.js"
import { addL1Validator } from "./dev/addL1Validator.js"
import { buildL1, type L1Request } from "./dev/buildL1.js"
import { changeL1Weight, type L1WeightRequest } from "./dev/changeL1Weight.js"
import { type MineOptions, mineBlocks } from "./dev/mineBlocks.js"
import { newIdentity } from "./dev/newIdentities.js"
import { creditAtomic, fund } from "./dev/payments.js"
import type { ValidatorsRequest } from "./dev/stakeTxBuilder.js"
import { stakeValidators } from "./dev/stakeValidators.js"
import { takeOverKeys } from "./dev/takeOverKeys.js"
import { type TimeOptions, travelTo } from "./dev/travelTo.js"
import { producerError } from "./errors.js"
import type { Grant } from "./funds/treasury.js"
import { changeBlockMode } from "./methods/setBlockMode.js"
import { overrideUptime } from "./methods/setUptime.js"
import { signAt, type WarpSigningRequest } from "./methods/signWarpMessage.js"
import { statusOf } from "./methods/status.js"
import type { PrivateChain } from "./privateChain.js"
import type { BlockMode } from "./schedule/schedule.js"
import { loadChain, resetChain } from "./snapshots/resetChain.js"
import { writeStateFile } from "./snapshots/stateFile.js"
import type { Override } from "./tables.js"

/** The operations of `/ext/dev` for tests, with typed parameters. */
export class TestDev {
  readonly #chain: PrivateChain

  constructor(chain: PrivateChain) {
    this.#chain = chain
  }

  status = () => statusOf(this.#chain)
  now = () => this.#chain.now()
  setTime = (options: TimeOptions) => this.#chain.turn((turn) => travelTo(turn, options))
  mine = (options: MineOptions) => this.#chain.turn((turn) => mineBlocks(turn, options))
  setBlockMode = (mode: BlockMode) => this.#chain.turn((turn) => changeBlockMode(turn, mode))
  snapshot = (name?: string) => this.#chain.turn((turn) => this.#chain.snapshots.take(turn, name))
  revert = (id: number) => this.#chain.turn((turn) => this.#chain.snapshots.revert(turn, id))
  reset = () => this.#chain.turn((turn) => resetChain(turn, this.#chain.snapshots))
  fund = (grant: Grant) => this.#chain.turn((turn) => fund(turn, grant))
  addValidators = (wanted: ValidatorsRequest) => this.#chain.turn((turn) => stakeValidators(turn, wanted))
  createL1 = (wanted: L1Request) => this.#chain.turn((turn) => buildL1(turn, wanted))
  registerL1Validator = (wanted: L1ValidatorRequest) => this.#chain.turn((turn) => addL1Validator(turn, wanted))
  setL1Weight = (wanted: L1WeightRequest) => this.#chain.turn((turn) => changeL1Weight(turn, wanted))
  newIdentity = () => this.#chain.turn(newIdentity)
  impersonate = (addresses: readonly Address[]) => this.#override({ kind: "impersonate", addresses })
  stopImpersonating = (addresses: readonly Address[]) => this.#override({ kind: "stopImpersonating", addresses })
  signWarpMessage = (request: WarpSigningRequest) => signAt(this.#chain, request)
  mempool = (): readonly Tx[] => [...this.#chain.status.pool]
  dropTx = (id: ID) => this.#chain.turn((turn) => turn.drop({ id }, producerError("producer.dropped")))
  dumpState = () => this.#chain.turn(writeStateFile)
  loadState = (bytes: Uint8Array) => this.#chain.turn((turn) => loadChain(turn, this.#chain.snapshots, bytes))

  setUptime = (nodeID: NodeID, percent: number | undefined) => this.#chain.turn((turn) => overrideUptime(turn, nodeID, percent))

  creditAtomic = (sourceChain: ID, address: Address, amount: bigint) =>
    this.#chain.turn((turn) => creditAtomic(turn, sourceChain, address, amount))

  takeValidatorKeys = (subnetID: ID, nodeIDs: readonly NodeID[] | undefined) =>
    this.#chain.turn((turn) => takeOverKeys(turn, subnetID, nodeIDs))

  #override(override: Override): Promise<void> {
    return this.#chain.turn((turn) => turn.applyOverrides([override]))
  }
}

/** Returns the operations of a node's private chain. */
export const devOf = ({ privateChain }: { readonly privateChain: PrivateChain }): TestDev => new TestDev(privateChain)
