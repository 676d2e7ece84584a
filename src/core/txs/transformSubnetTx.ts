import { authoriseForPermissionedSubnet } from "../rules/subnets.js"
import { checkVerifiable } from "../rules/verifiable.js"
import { tables } from "../state/tables.js"
import { typeError } from "../types/errors.js"
import { EMPTY_ID, id } from "../types/id.js"
import { transformationFields } from "../types/transformation.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"
import { MAX_SHARES } from "./stake.js"

const PERCENT = BigInt(MAX_SHARES)

/** Opens a subnet to everyone who stakes its asset. From Banff until Etna. Durations in seconds, rates and fees in millionths. */
export const transformSubnetTx = defineTx({
  kind: "TransformSubnetTx",
  typeID: 24,
  until: "etna",
  fields: { ...baseFields, subnetID: id, ...transformationFields, subnetAuthorization: authPlace },

  check(tx, context) {
    const demand = (holds: boolean, reference: string) => {
      if (!holds) throw txError("tx.transformation", { reference })
    }
    checkIsSubnet(tx.subnetID, "cannot transform primary network")
    if (tx.assetID === EMPTY_ID) throw typeError("types.empty_asset")
    if (tx.assetID === context.avaxAssetID) throw txError("tx.asset_is_avax")
    demand(tx.initialSupply > 0n, "initial supply must be non-0")
    demand(tx.initialSupply <= tx.maximumSupply, "initial supply can't be greater than maximum supply")
    demand(
      tx.minConsumptionRate <= tx.maxConsumptionRate,
      "min consumption rate must be less than or equal to max consumption rate",
    )
    demand(tx.maxConsumptionRate <= PERCENT, `max consumption rate must be less than or equal to ${PERCENT}`)
    demand(tx.minValidatorStake > 0n, "min validator stake must be non-0")
    demand(tx.minValidatorStake <= tx.initialSupply, "min validator stake must be less than or equal to initial supply")
    demand(tx.minValidatorStake <= tx.maxValidatorStake, "min validator stake must be less than or equal to max validator stake")
    demand(tx.maxValidatorStake <= tx.maximumSupply, "max validator stake must be less than or equal to max supply")
    demand(tx.minStakeDuration > 0, "min stake duration must be non-0")
    demand(tx.minStakeDuration <= tx.maxStakeDuration, "min stake duration must be less than or equal to max stake duration")
    demand(tx.minDelegationFee <= PERCENT, `min delegation fee must be less than or equal to ${PERCENT}`)
    demand(tx.minDelegatorStake > 0n, "min delegator stake must be non-0")
    demand(tx.maxValidatorWeightFactor > 0, "max validator weight factor must be non-0")
    demand(tx.uptimeRequirement <= PERCENT, `uptime requirement must be less than or equal to ${PERCENT}`)
    checkBase(tx, context)
    checkVerifiable(tx.subnetAuthorization, context)
  },

  execute(tx, context) {
    if (BigInt(tx.maxStakeDuration) > context.blockContext.params.staking.maxStakeDuration) {
      throw txError("tx.max_stake_duration", { got: tx.maxStakeDuration })
    }
    const credentials = authoriseForPermissionedSubnet(context, tx.subnetID, tx.subnetAuthorization)
    // The amount of the asset that rewards may mint later is burned now.
    requirePaid(context, tx, { credentials, burnAlso: new Map([[tx.assetID, tx.maximumSupply - tx.initialSupply]]) })
    context.diff.put(tables.transformations, tx.subnetID, { txID: context.txID, ...tx })
    context.diff.put(tables.supplies, tx.subnetID, tx.initialSupply)
  },
})
