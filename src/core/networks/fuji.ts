import { HOUR, SECOND } from "../lib/go/goDuration.js"
import type { ID } from "../types/id.js"
import { local } from "./local.js"
import { FUJI_ID } from "./names.js"
import type { Network } from "./network.js"
import { AVAX } from "./params.js"

/** Fuji, network 5: the public test network. All other values are those of the local network. */
export const fuji: Network = {
  genesisID: "2e6b699298a664793bff42dae9c1af8d9c54645d8b376fd331e0b67475578e0a" as ID,
  upgrades: {
    times: {
      apricotPhase1: 1_616_767_200n, // 2021-03-26T14:00:00Z
      apricotPhase2: 1_620_223_200n, // 2021-05-05T14:00:00Z
      apricotPhase3: 1_629_140_400n, // 2021-08-16T19:00:00Z
      apricotPhase4: 1_631_826_000n, // 2021-09-16T21:00:00Z
      apricotPhase5: 1_637_766_000n, // 2021-11-24T15:00:00Z
      apricotPhasePre6: 1_662_494_400n, // 2022-09-06T20:00:00Z
      apricotPhase6: 1_662_494_400n, // 2022-09-06T20:00:00Z
      apricotPhasePost6: 1_662_530_400n, // 2022-09-07T06:00:00Z
      banff: 1_664_805_600n, // 2022-10-03T14:00:00Z
      cortina: 1_680_793_200n, // 2023-04-06T15:00:00Z
      durango: 1_707_840_000n, // 2024-02-13T16:00:00Z
      etna: 1_732_550_400n, // 2024-11-25T16:00:00Z
      fortuna: 1_741_878_000n, // 2025-03-13T15:00:00Z
      granite: 1_761_750_000n, // 2025-10-29T15:00:00Z
      helicon: 1_785_250_800n, // 2026-07-28T15:00:00Z
    },
    apricotPhase4MinPChainHeight: 47_437n,
    cortinaXChainStopVertexID: "9ef7bb9d533c050189c4980fca43362e0e4f75d3024016c5f15097d5ca490cf0" as ID,
    graniteEpochDuration: 300n * SECOND,
  },
  params: {
    ...local.params,
    networkID: FUJI_ID,
    staking: {
      ...local.params.staking,
      minValidatorStake: AVAX,
      minDelegatorStake: AVAX,
      heliconMinStakeNanoseconds: 12n * HOUR,
    },
    // The price doubles every hour at full capacity.
    validatorFee: { capacity: 20_000n, target: 10_000n, minPrice: 512n, excessConversionConstant: 51_937_021n },
    createAssetTxFee: 10_000_000n,
  },
}
