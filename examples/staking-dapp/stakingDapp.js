// The dapp lists validators to delegate to, and shows the result of a delegation. It needs only the URL of a node.
import { pvm, utils } from "@avalabs/avalanchejs"

/** @param {string} url */
export function createStakingDapp(url) {
  const platform = new pvm.PVMApi(url)

  return {
    /** Returns the validators that stay for this many seconds, the lowest fee first. `now` is the chain's time, Unix seconds. */
    async offers(seconds, now) {
      const { validators } = await platform.getCurrentValidators()
      return validators
        .filter(({ endTime, connected }) => connected && BigInt(endTime) >= now + seconds)
        .sort((a, b) => Number(a.delegationFee) - Number(b.delegationFee))
        .map(({ nodeID, delegationFee, endTime }) => ({ nodeID, fee: `${delegationFee} %`, until: BigInt(endTime) }))
    },

    /** Returns "staked", the reward in nAVAX, or "unrewarded" if the validator was offline for too long. */
    async outcome(txID, nodeID) {
      const { validators } = await platform.getCurrentValidators({ nodeIDs: [nodeID] })
      if (validators.some(({ delegators }) => delegators?.some((each) => each.txID === txID))) return "staked"
      const { utxos } = await platform.getRewardUTXOs({ txID })
      return utxos.length > 0
        ? utxos.reduce((sum, { output }) => sum + (utils.isTransferOut(output) ? output.amount() : 0n), 0n)
        : "unrewarded"
    },
  }
}
