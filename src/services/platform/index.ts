import { getBlockchainStatus } from "./blockchains/getBlockchainStatus.js"
import { getBlockchains } from "./blockchains/getBlockchains.js"
import { validatedBy } from "./blockchains/validatedBy.js"
import { validates } from "./blockchains/validates.js"
import { getBlock } from "./blocks/getBlock.js"
import { getBlockByHeight } from "./blocks/getBlockByHeight.js"
import { getBlockByTime } from "./blocks/getBlockByTime.js"
import { getBlocks } from "./blocks/getBlocks.js"
import { getHeight } from "./blocks/getHeight.js"
import { getProposedHeight } from "./blocks/getProposedHeight.js"
import { getTimestamp } from "./blocks/getTimestamp.js"
import { getFeeConfig } from "./fees/getFeeConfig.js"
import { getFeeHistory } from "./fees/getFeeHistory.js"
import { getFeeState } from "./fees/getFeeState.js"
import { getValidatorFeeConfig } from "./fees/getValidatorFeeConfig.js"
import { getValidatorFeeState } from "./fees/getValidatorFeeState.js"
import { getL1Health } from "./l1s/getL1Health.js"
import { getL1s } from "./l1s/getL1s.js"
import { getCurrentSupply } from "./subnets/getCurrentSupply.js"
import { getMinStake } from "./subnets/getMinStake.js"
import { getStakingAssetID } from "./subnets/getStakingAssetID.js"
import { getSubnet } from "./subnets/getSubnet.js"
import { getSubnets } from "./subnets/getSubnets.js"
import { getRewardsByAddress } from "./txs/getRewardsByAddress.js"
import { getTx } from "./txs/getTx.js"
import { getTxInfo } from "./txs/getTxInfo.js"
import { getTxStatus } from "./txs/getTxStatus.js"
import { getTxs } from "./txs/getTxs.js"
import { getTxsByAddress } from "./txs/getTxsByAddress.js"
import { issueTx } from "./txs/issueTx.js"
import { getBalance } from "./utxos/getBalance.js"
import { getBalanceAt } from "./utxos/getBalanceAt.js"
import { getRewardUTXOs } from "./utxos/getRewardUTXOs.js"
import { getStake } from "./utxos/getStake.js"
import { getUTXOInfo } from "./utxos/getUTXOInfo.js"
import { getUTXOs } from "./utxos/getUTXOs.js"
import { getUTXOsAt } from "./utxos/getUTXOsAt.js"
import { getAllValidatorsAt } from "./validatorSets/getAllValidatorsAt.js"
import { getTotalStake } from "./validatorSets/getTotalStake.js"
import { getValidatorsAt } from "./validatorSets/getValidatorsAt.js"
import { sampleValidators } from "./validatorSets/sampleValidators.js"
import { estimateReward } from "./validators/estimateReward.js"
import { getCurrentValidators } from "./validators/getCurrentValidators.js"
import { getFormerValidators } from "./validators/getFormerValidators.js"
import { getL1Validator } from "./validators/getL1Validator.js"
import { getL1ValidatorHistory } from "./validators/getL1ValidatorHistory.js"
import { getStakesByAddress } from "./validators/getStakesByAddress.js"
import { decodeMethod } from "./wire/decode.js"
import { identify } from "./wire/identify.js"

/** Every method of the service `platform`: those of the contract, then Serac's extensions. A new method is one file and one line here. */
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
  getFeeHistory,
  getRewardsByAddress,
  getTxInfo,
  getTxsByAddress,
  getTxs,
  getBlocks,
  getBlockByTime,
  getBalanceAt,
  getUTXOsAt,
  getUTXOInfo,
  getStakesByAddress,
  getFormerValidators,
  getL1ValidatorHistory,
  getL1Health,
  getL1s,
  estimateReward,
  decodeMethod,
  identify,
] as const
