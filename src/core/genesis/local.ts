import { LOCAL_ID } from "../networks/names.js"
import { AVAX } from "../networks/params.js"
import type { Address } from "../types/address.js"
import type { Allocation, GenesisConfig } from "./config.js"
import { localStakers } from "./localStakers.js"
import { ewoq, vmRQ } from "./testKeys.js"

/** 2024-07-15T04:00:00Z, the last change of the local network's genesis. */
export const LOCAL_START_TIME = 1_721_016_000n

/** 270 days in seconds, by which the local network's start time moves at a time. */
export const LOCAL_PERIOD = 23_328_000n

/** Returns the start of the local network for a node that starts `now` (Unix seconds): whole periods after the recorded start. */
export function localStartTime(now: bigint): bigint {
  if (now < LOCAL_START_TIME) return LOCAL_START_TIME
  return now - ((now - LOCAL_START_TIME) % LOCAL_PERIOD)
}

const LOCKTIME = 1_633_824_000n // 2021-10-10T00:00:00Z, long over: nothing is locked
const ethAddr = "b3d82b1367d362de99ab59a658165aff520cbd4d"

const allocations: readonly Allocation[] = [
  {
    ethAddr,
    avaxAddr: vmRQ.address,
    initialAmount: 0n,
    unlockSchedule: [{ amount: 10_000_000n * AVAX, locktime: LOCKTIME }],
  },
  {
    ethAddr,
    avaxAddr: ewoq.address,
    initialAmount: 300_000_000n * AVAX,
    unlockSchedule: [
      { amount: 20_000_000n * AVAX, locktime: 0n },
      { amount: 10_000_000n * AVAX, locktime: LOCKTIME },
    ],
  },
  {
    // The owner of this key is not known.
    ethAddr,
    avaxAddr: "e0cfe8cae22827d032805ded484e393ce51cbedb" as Address,
    initialAmount: 10_000_000n * AVAX,
    unlockSchedule: [{ amount: 10_000_000n * AVAX, locktime: LOCKTIME }],
  },
]

const zero32 = `0x${"0".repeat(64)}`

/** The C-Chain's genesis. Order, spelling and case determine the chain's ID. */
const cChainGenesis = JSON.stringify({
  config: {
    chainId: 43112,
    homesteadBlock: 0,
    daoForkBlock: 0,
    daoForkSupport: true,
    eip150Block: 0,
    eip150Hash: "0x2086799aeebeae135c246c65021c82b4e15a2c451340993aacfd2751886514f0",
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    muirGlacierBlock: 0,
    apricotPhase1BlockTimestamp: 0,
    apricotPhase2BlockTimestamp: 0,
  },
  nonce: "0x0",
  timestamp: "0x5FCB13D0",
  extraData: "0x00",
  gasLimit: "0x5f5e100",
  difficulty: "0x0",
  mixHash: zero32,
  coinbase: `0x${"0".repeat(40)}`,
  alloc: { "8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC": { balance: "0x295BE96E64066972000000" } },
  number: "0x0",
  gasUsed: "0x0",
  parentHash: zero32,
})

/** Returns the configuration of a network without a genesis file: the local network's, with this network ID. */
export function localConfig(networkID: number = LOCAL_ID, startTime: bigint = LOCAL_START_TIME): GenesisConfig {
  return {
    networkID,
    allocations,
    startTime,
    initialStakeDuration: 31_536_000n,
    initialStakeDurationOffset: 5_400n,
    initialStakedFunds: [vmRQ.address],
    initialStakers: localStakers,
    cChainGenesis,
    message: "{{ fun_quote }}",
  }
}
