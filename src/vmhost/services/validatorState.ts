import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { requireSubnetOfChain } from "../../core/rules/subnets.js"
import { type CanonicalSet, canonicalSet, validatorSetAt } from "../../core/rules/validatorSet.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { bls } from "../../platform/backends.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { ValidatorState } from "../proto/validator_state_pb.js"

/** The P-Chain as a VM sees it. */
export interface PChainPort {
  /** Returns the state after the last accepted block. */
  view(): View
  /** Returns the height of the last accepted block. */
  height(): bigint
  /** Returns the height that a block of another chain should name. */
  minimumHeight(): bigint
}

/** Answers questions about the validators of all subnets and L1s. */
export function validatorStateService(pChain: PChainPort): ServedService {
  const setAt = (subnetID: ID, height: bigint) => {
    if (height > pChain.height()) throw refusal(`the P-Chain has not reached height ${height}`)
    return validatorSetAt(pChain.view(), subnetID, height)
  }
  return serve(ValidatorState, {
    getMinimumHeight: () => ({ height: pChain.minimumHeight() }),
    getCurrentHeight: () => ({ height: pChain.height() }),
    getSubnetID: ({ chainId }) => ({ subnetId: hexToBytes(subnetOf(pChain.view(), toHex(chainId) as ID)) }),
    getWarpValidatorSets: ({ height }) => ({
      validatorSets: [PRIMARY_NETWORK_ID, ...[...pChain.view().rows(tables.subnets)].map(([subnetID]) => subnetID)].flatMap(
        (subnetID) => warpSetOf(subnetID, () => canonicalSet(setAt(subnetID, height))),
      ),
    }),
    getWarpValidatorSet: ({ height, subnetId }) => {
      const set = canonicalSet(setAt(toHex(subnetId) as ID, height))
      return { totalWeight: set.totalWeight, validators: warpValidators(set) }
    },
    getValidatorSet: ({ height, subnetId }) => ({
      validators: [...setAt(toHex(subnetId) as ID, height)].map(([nodeID, { weight, publicKey }]) => ({
        nodeId: hexToBytes(nodeID),
        weight,
        ...(publicKey ? { publicKey } : {}),
      })),
    }),
    getCurrentValidatorSet: ({ subnetId }) => ({
      validators: currentValidators(pChain.view(), toHex(subnetId) as ID),
      currentHeight: pChain.height(),
    }),
  })
}

function subnetOf(view: View, chainID: ID): ID {
  try {
    return requireSubnetOfChain(view, chainID)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw refusal(error.message)
  }
}

/** Returns the set of a subnet with validators. A subnet whose total weight is too large is left out, as in AvalancheGo. */
function warpSetOf(subnetID: ID, make: () => CanonicalSet) {
  try {
    const set = make()
    if (set.totalWeight === 0n) return []
    return [{ subnetId: hexToBytes(subnetID), totalWeight: set.totalWeight, validators: warpValidators(set) }]
  } catch (error) {
    if (error instanceof Invalid) return []
    throw error
  }
}

function warpValidators({ signers }: CanonicalSet) {
  return signers.map(({ publicKey, weight, nodeIDs }) => ({ publicKey, weight, nodeIds: nodeIDs.map(hexToBytes) }))
}

/** Returns the validators of a subnet: those that stake or are permitted, whose ID is that of their transaction, and those of an L1. */
function currentValidators(view: View, subnetID: ID) {
  const staking = [...view.rows(tables.currentValidators, { under: { subnetID } })].map(([, staker]) => ({
    nodeId: hexToBytes(staker.nodeID),
    weight: staker.weight,
    ...(staker.publicKey ? { publicKey: bls().decompressKey(staker.publicKey) } : {}),
    startTime: staker.startTime,
    isActive: true,
    validationId: hexToBytes(staker.txID),
    isL1Validator: false,
  }))
  const ofL1 = [...view.rows(tables.l1ValidationIDs, { under: { subnetID } })].map(([, validationID]) => {
    const validator = view.get(tables.l1Validators, validationID)
    if (!validator) throw new Error(`L1 validator ${validationID} is missing`)
    return {
      nodeId: hexToBytes(validator.nodeID),
      weight: validator.weight,
      publicKey: validator.publicKey,
      startTime: validator.startTime,
      minNonce: validator.minNonce,
      isActive: validator.endAccumulatedFee !== 0n,
      validationId: hexToBytes(validationID),
      isL1Validator: true,
    }
  })
  return [...staking, ...ofL1]
}

const refusal = (text: string): GrpcError => new GrpcError(grpcStatus.unknown, text)
