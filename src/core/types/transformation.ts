import { u8, u32, u64 } from "../codec/primitives.js"
import { id } from "./id.js"

/** Parameters of a subnet on which anyone may stake its asset. Durations in seconds, rates and fees in millionths. */
export const transformationFields = {
  assetID: id,
  initialSupply: u64,
  maximumSupply: u64,
  minConsumptionRate: u64,
  maxConsumptionRate: u64,
  minValidatorStake: u64,
  maxValidatorStake: u64,
  minStakeDuration: u32,
  maxStakeDuration: u32,
  minDelegationFee: u32,
  minDelegatorStake: u64,
  maxValidatorWeightFactor: u8,
  uptimeRequirement: u32,
}
