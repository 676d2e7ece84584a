import { toHex } from "../lib/bytes.js"
import type { Json } from "../lib/json.js"
import { hrpOf } from "../networks/names.js"
import { addressText } from "../types/address.js"
import { nodeIDText } from "../types/id.js"
import type { GenesisConfig } from "./config.js"

/** Prints a genesis in the form of AvalancheGo's genesis file, which `parseConfig` reads. */
export function configToJson(config: GenesisConfig): { readonly [key: string]: Json } {
  const textOf = (address: GenesisConfig["initialStakedFunds"][number]) => addressText(address, hrpOf(config.networkID), "X")
  return {
    networkID: config.networkID,
    allocations: config.allocations.map(({ ethAddr, avaxAddr, initialAmount, unlockSchedule }) => ({
      ethAddr: `0x${ethAddr}`,
      avaxAddr: textOf(avaxAddr),
      initialAmount,
      unlockSchedule: unlockSchedule.map(({ amount, locktime }) => ({ amount, locktime })),
    })),
    startTime: config.startTime,
    initialStakeDuration: config.initialStakeDuration,
    initialStakeDurationOffset: config.initialStakeDurationOffset,
    initialStakedFunds: config.initialStakedFunds.map(textOf),
    initialStakers: config.initialStakers.map(({ nodeID, rewardAddress, delegationFee, signer }) => ({
      nodeID: nodeIDText(nodeID),
      rewardAddress: textOf(rewardAddress),
      delegationFee,
      ...(signer && {
        signer: {
          publicKey: `0x${toHex(signer.publicKey)}`,
          proofOfPossession: `0x${toHex(signer.proofOfPossession)}`,
        },
      }),
    })),
    cChainGenesis: config.cChainGenesis,
    message: config.message,
  }
}
