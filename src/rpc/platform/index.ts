import { getAllValidatorsAt } from "./getAllValidatorsAt.js"
import { getBalance } from "./getBalance.js"
import { getBlock } from "./getBlock.js"
import { getBlockByHeight } from "./getBlockByHeight.js"
import { getBlockchainStatus } from "./getBlockchainStatus.js"
import { getBlockchains } from "./getBlockchains.js"
import { getCurrentSupply } from "./getCurrentSupply.js"
import { getCurrentValidators } from "./getCurrentValidators.js"
import { getFeeConfig } from "./getFeeConfig.js"
import { getFeeState } from "./getFeeState.js"
import { getHeight } from "./getHeight.js"
import { getL1Validator } from "./getL1Validator.js"
import { getMinStake } from "./getMinStake.js"
import { getProposedHeight } from "./getProposedHeight.js"
import { getRewardsByAddress } from "./getRewardsByAddress.js"
import { getRewardUTXOs } from "./getRewardUTXOs.js"
import { getStake } from "./getStake.js"
import { getStakingAssetID } from "./getStakingAssetID.js"
import { getSubnet } from "./getSubnet.js"
import { getSubnets } from "./getSubnets.js"
import { getTimestamp } from "./getTimestamp.js"
import { getTotalStake } from "./getTotalStake.js"
import { getTx } from "./getTx.js"
import { getTxInfo } from "./getTxInfo.js"
import { getTxStatus } from "./getTxStatus.js"
import { getTxsByAddress } from "./getTxsByAddress.js"
import { getUTXOs } from "./getUTXOs.js"
import { getValidatorFeeConfig } from "./getValidatorFeeConfig.js"
import { getValidatorFeeState } from "./getValidatorFeeState.js"
import { getValidatorsAt } from "./getValidatorsAt.js"
import { issueTx } from "./issueTx.js"
import { sampleValidators } from "./sampleValidators.js"
import { validatedBy } from "./validatedBy.js"
import { validates } from "./validates.js"

/** Every method of the platform interface: those of the contract, then our extensions. A new one is one file and one line here. */
export const platformMethods = [
  getBalance,
  getBlock,
  getBlockByHeight,
  getBlockchainStatus,
  getBlockchains,
  getCurrentSupply,
  getCurrentValidators,
  getFeeConfig,
  getFeeState,
  getHeight,
  getL1Validator,
  getMinStake,
  getProposedHeight,
  getRewardUTXOs,
  getStake,
  getStakingAssetID,
  getSubnet,
  getSubnets,
  getTimestamp,
  getTotalStake,
  getTx,
  getTxStatus,
  getUTXOs,
  getValidatorFeeConfig,
  getValidatorFeeState,
  getValidatorsAt,
  issueTx,
  sampleValidators,
  validatedBy,
  validates,
  getAllValidatorsAt,
  getRewardsByAddress,
  getTxInfo,
  getTxsByAddress,
] as const
